// The library that missing_dependency needs; nobody finds it where it is built.
extern "C" __attribute__((visibility("default"))) int tenon_test_gone();
int tenon_test_gone() { return 0; }
