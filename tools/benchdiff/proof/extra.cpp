namespace proof {
// How many units of a thousand are added; one object an executable.
extern const int kExtraPermille;
const int kExtraPermille = PROOF_EXTRA_PERMILLE;
}  // namespace proof
