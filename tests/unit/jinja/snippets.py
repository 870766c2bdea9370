"""Small templates, one behaviour each, over the values INPUT."""

INPUT = {
    "name": "Ada", "empty": "", "text": "  The quick  brown\tfox \n", "lines": "one\ntwo\n\nthree\n", "unicode": "Straße ΑΣ ǆ",
    "n": 7, "zero": 0, "minus": -3, "x": 2.5, "yes": True, "no": False, "nothing": None,
    "list": [3, 1, 2], "words": ["pear", "Apple", "fig", "apple"], "nested": [[1, 2], [3, [4]]],
    "d": {"b": 1, "a": {"c": [True, None, 1.0]}, "items": "own", "1": "one"},
    "people": [{"name": "Bo", "age": 31, "tags": {"k": 1}}, {"name": "al", "age": 9, "tags": {"k": 2}},
               {"name": "Cy", "age": 31}],
    "tree": [{"v": 1, "kids": [{"v": 2, "kids": []}, {"v": 3, "kids": [{"v": 4, "kids": []}]}]}, {"v": 5, "kids": []}],
    "html": "<a href='x'>\"&\"</a>", "json": {"k": "é\n\"\\/\u007f\u2028 😀", "f": 1e20, "g": 1e-7, "h": 100000.0},
}

LITERALS = r"""
{{ 'a\n\t\\\'\"b' }}|{{ "\x41\u00e9\U0001F600\101\a" }}|{{ '\d' }}|{{ 'a' 'b' "c" }}
{{ 1 }} {{ 1_000 }} {{ 0x1F }} {{ 0b101 }} {{ 0o17 }} {{ 1.5 }} {{ 1e3 }} {{ 1.5E-3 }} {{ 2e22 }} {{ 1e15 }} {{ 1e16 }} {{ 0.0001 }} {{ 0.00001 }}
{{ true }} {{ True }} {{ false }} {{ False }} {{ none }} {{ None }}
{{ [] }} {{ [1,] }} {{ () }} {{ (1,) }} {{ (1) }} {{ (1, 'a') }} {{ 1, 2 }}
{{ {} }} {{ {'a': 1, "b": [2], 3: 'c', none: 0, (1, 2): 5} }} {{ {'a': 1, 'a': 2} }}
{{ ['it\'s', "say \"x\"", 'both \' and "', 'tab\t', 'nl\n', '\\', 'é', '\x00\x7f\u200b\xa0', '😀'] }}
{{ [1.0, 2.5, true, none, undefined_name] }}
{{ missing }}|{{ missing is defined }}|{{ [missing] }}
{{ 123456789012345678 }} {{ 9223372036854775807 }} {{ -9223372036854775807 }}
{{ 0.1 + 0.2 }} {{ 1 / 3 }} {{ 1e300 * 1e300 }} {{ -0.0 }} {{ 3.0 }}
{{ "line
break" }}
{{ 'a' if }}
{{ 1_ }}
{{ 'unclosed }}
{{ 'a' "b }}
{{ @ }}
{{ '\x4' }}
""".strip("\n")

OPERATORS = r"""
{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 // -2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 7 / 2 }} {{ 6 / 2 }}
{{ 7.5 // 2 }} {{ -7.5 // 2 }} {{ 7.5 % 2 }} {{ -7.5 % 2 }} {{ 5.0 % -3 }} {{ 0.0 // 5 }} {{ -6.0 % 3 }}
{{ 2 ** 10 }} {{ 2 ** -1 }} {{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 2.0 ** 3 }} {{ 4 ** 0.5 }} {{ 0 ** 0 }} {{ 10 ** 18 }} {{ (-1) ** 1000001 }} {{ 2 ** 0 }}
{{ 1 + 2 * 3 - 4 / 2 }} {{ (1 + 2) * 3 }} {{ 1 - 2 - 3 }} {{ 2 * 3 % 4 }} {{ -n + +n }} {{ - - 5 }}
{{ true + 1 }} {{ true * 3 }} {{ -true }} {{ true / 2 }} {{ +true }}
{{ 1 < 2 }} {{ 1 < 7 < 5 }} {{ 1 < 2 < 3 }} {{ 3 > 2 >= 2 != 1 }} {{ 1 == 1.0 == true }} {{ 1 < 2 in [2, true] }}
{{ 'a' < 'b' }} {{ 'Z' < 'a' }} {{ 'é' > 'z' }} {{ [1, 2] < [1, 3] }} {{ [1] < [1, 0] }} {{ (1, 2) >= (1, 2) }} {{ 1 < 1.5 }} {{ 'a' < 'ab' }}
{{ [1, 2] == [1, 2] }} {{ [1] == (1,) }} {{ {'a': 1} == {'a': 1.0} }} {{ 'a' == 1 }} {{ none == none }} {{ missing == other }} {{ none == false }} {{ 0 == false }} {{ '1' == 1 }}
{{ 9007199254740993 == 9007199254740992.0 }} {{ 9007199254740993 > 9007199254740992.0 }}
{{ 'a' in 'abc' }} {{ '' in 'abc' }} {{ 'ca' in 'abc' }} {{ 2 in [1, 2] }} {{ 'b' in d }} {{ 'z' not in d }} {{ 1.0 in [1] }} {{ 'x' in missing }} {{ missing in [1] }} {{ 2 in range(3) }} {{ true in [1] }} {{ none in [none] }}
{{ not 1 == 2 }} {{ not true or true }} {{ not (true and false) }} {{ not not 5 }} {{ not [] }} {{ not missing }}
{{ 1 and 2 }} {{ 0 and 2 }} {{ 0 or 'x' }} {{ 'a' or 'b' }} {{ none or missing or 3 }} {{ [] or {} }}
{{ 'a' ~ 1 ~ none ~ 1.5 ~ [1] ~ missing ~ true }} {{ 1 ~ 2 + 3 }} {{ 1 + 2 ~ 3 }} {{ 'a' ~ 2 * 3 }} {{ 2 - 1 ~ 1 }}
{{ 'ab' + 'cd' }} {{ [1] + [2] }} {{ (1,) + (2,) }} {{ 'ab' * 3 }} {{ 2 * 'ab' }} {{ [1, 2] * 2 }} {{ 'a' * 0 }} {{ 'a' * -1 }} {{ (1,) * 2 }}
{{ 'yes' if yes else 'no' }} {{ 'yes' if no else 'no' }} [{{ 'x' if no }}] {{ 1 if 0 else 2 if 0 else 3 }} {{ (1 if yes) + 1 }}
{{ 1 if yes if no else 5 }}
{{ '%s is %d and %.2f%%' % ('x', 3, 2.345) }} {{ '%5d|%-5d|%05d|%+d' % (42, 42, 42, 42) }} {{ '%x %X %o' % (255, 255, 8) }} {{ '%r' % ('a',) }} {{ '%s' % 'solo' }}
{{ '%(a)s-%(b)03d' % {'a': 1, 'b': 2} }} {{ '%e' % 12345.678 }} {{ '%g %g' % (0.00001, 100000.0) }} {{ '%10s|%-10s|' % ('ab', 'ab') }} {{ '%.2s' % 'abc' }}
{{ n.x }} {{ nothing.x }} {{ name.x }} {{ list.x }} [{{ d.zz }}]
{{ -1|abs }} {{ -x|abs }} {{ (-3)|abs }} {{ 2 ** 2|abs }}
{{ 1 +}}
{{ 1 / 0 }}
{{ 1 // 0 }}
{{ 1 % 0 }}
{{ 1.0 / 0 }}
{{ 'a' + 1 }}
{{ 1 + 'a' }}
{{ [1] + (2,) }}
{{ 1 < 'a' }}
{{ none < 1 }}
{{ [1] < (2,) }}
{{ missing + 1 }}
{{ missing < 1 }}
{{ -missing }}
{{ -'a' }}
{{ missing.x }}
{{ missing['x'] }}
{{ d.zz.y }}
{{ missing() }}
{{ n() }}
{{ 1 in 'abc' }}
{{ 1 in 5 }}
{{ 0 ** -1 }}
{{ {[1]: 2} }}
{{ '%d' % 'a' }}
{{ '%s %s' % ('a',) }}
{{ '%s' % ('a', 'b') }}
""".strip("\n")

ACCESS = r"""
{{ list[0] }} {{ list[-1] }} [{{ list[9] }}] [{{ list[-9] }}] {{ name[0] }} {{ name[-1] }} [{{ name[5] }}] {{ 'äöü'[1] }} {{ list[true] }}
{{ list[1:] }} {{ list[:1] }} {{ list[-2:] }} {{ list[::-1] }} {{ list[::2] }} {{ list[5:] }} {{ list[1:100] }} {{ list[-100:2] }} {{ list[2:0:-1] }} {{ list[:] }} {{ list[0:0] }}
{{ 'hello'[1:3] }} {{ 'hello'[::-1] }} {{ 'hello'[-3:-1] }} {{ 'äöüß'[1:3] }} {{ 'hello'[:-1] }} {{ 'hello'[4:1:-2] }} {{ 'hello'[none:2] }} {{ 'hello'[3:1] }}
{{ (1, 2, 3)[1:] }} {{ range(5)[1:3] | list }} {{ range(5)[-1] }} {{ list[::9223372036854775807] }} {{ list[-9223372036854775807:] }} {{ list[n:] }}
{{ d.b }} {{ d['b'] }} {{ d.a.c }} {{ d.a.c[0] }} {{ d['a']['c'][-1] }} {{ d['items'] }} {{ d.items is callable }} {{ d['1'] }} {{ list.0 }} {{ nested.1.1.0 }} [{{ d[1] }}]
{{ {1: 'a'}[1] }} {{ {1: 'a'}[1.0] }} {{ {1: 'a'}[true] }} {{ {none: 'n'}[none] }} {{ {(1, 2): 't'}[1, 2] }} [{{ {'a': 1}[[1]] }}] [{{ {'a': 1}[(d, 1)] }}] {{ {1.5: 'f'}[1.5] }}
{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %} {{ d.keys() | list }} {{ d.values() | list }} {{ d.items() }} {{ d.keys() }} {{ d.values() }}
{{ d.get('b') }} {{ d.get('zz') }} {{ d.get('zz', 5) }} {{ d.get('b', 5) }} {{ 'keys' in d }} {{ d.keys() | length }} {{ 'b' in d.keys() }} {{ d.copy() == d }}
{{ list.count(1) }} {{ list.index(2) }} {{ (1, 1, 2).count(1) }} {{ list.copy() }}
{{ d | attr('b') }}| {{ list[1.0] }}| {{ list['a'] }}| {{ name['upper']() }} {{ d.a['c'] }}
{{ range(3) }} {{ range(1, 5) | list }} {{ range(5, 0, -2) | list }} {{ range(0) | list }} {{ range(1, 8, 3) }} {{ range(4) | length }} {{ range(3) == range(3) }}
{{ dict(a=1, b=2) }} {{ dict({'x': 1}, y=2) }} {{ dict([('a', 1), ('b', 2)]) }} {{ dict() }}
{{ list.append(1) }}
{{ d.update({'x': 1}) }}
{{ d.pop('b') }}
{{ list[::0] }}
{{ n[1:2] }}
{{ list['a':] }}
{{ range(1000000) }}
{{ range(0, 5, 0) }}
{{ range() }}
{{ range(1.5) }}
{{ list.index(99) }}
{{ d. }}
""".strip("\n")

METHODS = r"""
[{{ text.strip() }}] [{{ text.lstrip() }}] [{{ text.rstrip() }}] {{ 'xxaxx'.strip('x') }} {{ 'abcba'.lstrip('ab') }} {{ 'abcba'.rstrip('ba') }} [{{ '\u00a0\u3000a\u2003'.strip() }}] {{ 'ééaé'.strip('é') }} {{ ' a '.strip(none) }}
{{ 'a,b,,c'.split(',') }} {{ 'a b  c'.split() }} {{ 'a b  c'.split(' ') }} {{ 'a,b,c'.split(',', 1) }} {{ 'a,b,c'.rsplit(',', 1) }} {{ ' a b c '.split(none, 1) }} {{ ' a b c '.rsplit(none, 1) }} {{ 'abc'.split('x') }} {{ ''.split() }} {{ ''.split(',') }} {{ 'a--b--c'.split('--')[-1] }} {{ 'aXbXc'.split('X', maxsplit=1) }} {{ 'a b c'.split(maxsplit=0) }} {{ 'aaaa'.split('aa') }} {{ 'aaa'.rsplit('aa') }} {{ 'a  b '.rsplit(none, 5) }}
{{ 'hello'.startswith('he') }} {{ 'hello'.startswith('lo') }} {{ 'hello'.endswith(('x', 'lo')) }} {{ 'hello'.startswith('l', 2) }} {{ 'hello'.endswith('l', 0, 4) }} {{ ''.startswith('') }} {{ 'a'.startswith(()) }} {{ 'a'.startswith('', 5) }}
{{ 'hello'.find('l') }} {{ 'hello'.rfind('l') }} {{ 'hello'.find('z') }} {{ 'äöl'.find('l') }} {{ 'hello'.index('e') }} {{ 'hello'.find('l', 3) }} {{ 'hello'.find('') }} {{ 'hello'.rfind('') }} {{ 'hello'.find('', 9) }} {{ 'hello'.find('h', -2) }} {{ 'hello'.rindex('l') }}
{{ 'hello'.count('l') }} {{ 'aaaa'.count('aa') }} {{ 'abc'.count('') }} {{ 'hello'.count('l', 3) }}
{{ 'hELLO wORLD'.upper() }} {{ 'hELLO'.lower() }} {{ "they're bill's".title() }} {{ 'hELLO wORLD'.capitalize() }} {{ 'aBc'.swapcase() }}
{{ unicode.upper() }} {{ unicode.lower() }} {{ unicode.title() }} {{ 'ß'.upper() }} {{ 'ﬁn'.title() }} {{ 'ǆx'.capitalize() }} {{ 'ΑΣ ΑΣΑ Σ'.lower() }} {{ 'İ'.lower() | length }} {{ 'éà'.upper() }} {{ 'привет'.title() }} {{ "ΑΣ'Σ".lower() }} {{ 'ŉ'.upper() }}
{{ 'a-b-c'.replace('-', '+') }} {{ 'a-b-c'.replace('-', '+', 1) }} {{ 'abc'.replace('', '-') }} {{ 'abc'.replace('', '-', 2) }} {{ 'aaa'.replace('aa', 'b') }} {{ 'abc'.replace('b', '') }} {{ ''.replace('', 'x') }} {{ 'abc'.replace('z', 'y') }}
{{ ', '.join(['a', 'b']) }} {{ ''.join([]) }} {{ '-'.join('abc') }} {{ ','.join({'x': 1, 'y': 2}) }}
{{ 'a=b=c'.partition('=') }} {{ 'a=b=c'.rpartition('=') }} {{ 'abc'.partition('=') }} {{ 'abc'.rpartition('=') }}
{{ 'prefix-x'.removeprefix('prefix-') }} {{ 'x.txt'.removesuffix('.txt') }} {{ 'abc'.removeprefix('x') }} {{ 'a'.removesuffix('') }}
[{{ 'ab'.center(7) }}] [{{ 'abc'.center(6) }}] [{{ 'ab'.ljust(5, '.') }}] [{{ 'ab'.rjust(5) }}] {{ '42'.zfill(5) }} {{ '-42'.zfill(5) }} {{ 'ab'.center(5, '*') }} {{ 'abc'.ljust(2) }}
{{ lines.splitlines() }} {{ 'a\r\nb\rc\n'.splitlines() }} {{ 'a\nb'.splitlines(true) }} {{ ''.splitlines() }} {{ 'a\x0bb\x85c\u2028d'.splitlines() }}
{{ 'abc'.isalpha() }} {{ 'ab1'.isalnum() }} {{ '12'.isdigit() }} {{ '²'.isdigit() }} {{ '²'.isdecimal() }} {{ '½'.isnumeric() }} {{ ' '.isspace() }} {{ ''.isspace() }} {{ 'AB'.isupper() }} {{ 'Ab'.isupper() }} {{ 'a1'.islower() }} {{ '1'.islower() }} {{ 'é'.isascii() }} {{ ''.isascii() }} {{ 'ǅ'.isupper() }}
{{ '{} {}'.format(1, 'a') }} {{ '{0}{1}{0}'.format('a', 'b') }} {{ '{x}-{y[0]}'.format(x=1, y=[2]) }} {{ '{{}}'.format() }} {{ '{:>5}|{:<5}|{:^5}|'.format('a', 'b', 'c') }} {{ '{:.2f} {:05d} {:,}'.format(3.14159, 42, 1234567) }} {{ '{!r}'.format('a') }} {{ '{:x}'.format(255) }} {{ '{:*^9}'.format('mid') }}
{{ name.strip().lower().startswith('a') }} {{ (name ~ '!').upper() }} {{ name | lower | upper }}
{{ 'a'.split('') }}
{{ 'a'.index('z') }}
{{ 'a'.replace('a') }}
{{ 'a'.strip(1) }}
{{ 'a'.startswith(1) }}
{{ 'a'.nope() }}
{{ ','.join([1, 2]) }}
{{ 'a'.upper(1) }}
{{ 'a'.split(',', 'x') }}
{{ '{} {}'.format(1) }}
{{ 'abc'.center() }}
""".strip("\n")

FILTERS_TEXT = r"""
[{{ text | trim }}] {{ 'xax' | trim('x') }} [{{ '\u2003a\u00a0' | trim }}] {{ 5 | trim }} {{ ' a ' | trim | upper }}
{{ 'hello wORLD-foo (bar) [baz] {q} <r' | title }} {{ "they're" | title }} {{ 'ÉCOLE ßa' | title }} {{ 'hELLO' | capitalize }} {{ 'a' | upper }} {{ 'ÄB' | lower }} {{ 'ß' | upper }} {{ 1.5 | upper }} {{ none | upper }} [{{ missing | upper }}]
{{ 'a-b-c' | replace('-', '+') }} {{ 'a-b-c' | replace('-', '+', 1) }} {{ 'a1' | replace(1, 2) }} {{ 'aaa' | replace('a', 'b', count=2) }} {{ 'abc' | replace('', '.') }}
{{ lines | indent }}| {{ lines | indent(2) }}| {{ lines | indent(2, true) }}| {{ lines | indent(2, false, true) }}| {{ lines | indent('>> ') }}| {{ 'a\nb' | indent(width=3, first=true) }} {{ '' | indent }}| {{ 'a\n' | indent(blank=true) }}|
{{ 'one two three' | wordcount }} {{ '' | wordcount }} {{ "it's a-b" | wordcount }} {{ 'é ñ' | wordcount }}
{{ 'hello world foo' | truncate(8) }} {{ 'hello world foo bar' | truncate(12, true) }} {{ 'hello world foo' | truncate(9, leeway=0) }} {{ 'short' | truncate(10) }} {{ 'hello wonderful world' | truncate(10, false, '..', 0) }}
[{{ 'ab' | center(6) }}] {{ 'a b&c/d?é' | urlencode }} {{ '%s-%s' | format('a', 2) }} {{ '%(x)s' | format(x=1) }} {{ 'abc' | reverse }} {{ 'äöü' | reverse }} {{ 'abc' | first }} {{ 'abc' | last }} {{ 'äöü' | length }} {{ 'abc' | list }}
{{ html | e }} {{ html | escape }} {{ html | safe }} {{ (html | safe) ~ html }} {{ (html | e) + '<' }} {{ '<' + ('>' | safe) }} {{ html | e | e }} {{ ('<' | safe) | upper + '<' }} {{ '<' | e is escaped }} {{ ['<' | safe] }}
{{ 5 | string + 'a' }} {{ none | string }} {{ [1, 'a'] | string }} {{ true | string | lower }} {{ 1.0 | string }}
{{ 'a' | replace('a') }}
{{ 'a' | replace }}
{{ 'a' | nope }}
{{ 'a' | center('x') }}
{{ 'a' | trim(1) }}
{{ 'a' | truncate(1) }}
{{ 'a' | upper(1) }}
""".strip("\n")

FILTERS_VALUE = r"""
{{ '42' | int }} {{ '4.9' | int }} {{ 'x' | int }} {{ 'x' | int(7) }} {{ ' 5 ' | int }} {{ 3.99 | int }} {{ -3.99 | int }} {{ '0x1f' | int(base=16) }} {{ 'ff' | int(0, 16) }} {{ '1_000' | int }} {{ true | int }} {{ none | int }} {{ '' | int }} {{ '1e3' | int }} {{ '-7' | int }} {{ [] | int(3) }} {{ '٣' | int if false else 3 }}
{{ '1.5' | float }} {{ 'x' | float }} {{ 'x' | float(2.5) }} {{ 3 | float }} {{ '1e3' | float }} {{ ' 2 ' | float }} {{ 'inf' | float }} {{ none | float }} {{ true | float }} {{ '1_0.5' | float }}
{{ 2.5 | round }} {{ 3.5 | round }} {{ 2.675 | round(2) }} {{ 42.55 | round(1, 'floor') }} {{ 42.51 | round(1, 'ceil') }} {{ 5 | round }} {{ -2.5 | round }} {{ 1234.5 | round(-2) }} {{ 0.5 | round }} {{ 1e20 | round }} {{ 5 | round(1, 'floor') }} {{ 2.4 | round(method='ceil') }}
{{ -5 | abs }} {{ -2.5 | abs }} {{ true | abs }}
{{ missing | default('d') }} {{ missing | d('d') }} {{ none | default('d') }} {{ '' | default('d') }} {{ '' | default('d', true) }} {{ none | d('d', boolean=true) }} [{{ missing | default }}] {{ d.zz | default(5) }} {{ name | default('x') }} {{ missing | default(default_value=[1]) }}
{{ json | tojson }} {{ d | tojson }} {{ [1, 'a', 2.0, true, none] | tojson }} {{ 'é' | tojson }} {{ 'é😀' | tojson(ensure_ascii=true) }} {{ 'é' | tojson(true) }} {{ {} | tojson }} {{ [] | tojson }} {{ (1, 2) | tojson }} {{ 5 | tojson }} {{ none | tojson }} {{ html | tojson }}
{{ d | tojson(indent=2) }} {{ [] | tojson(indent=2) }} {{ [1, [2]] | tojson(indent=0) }} {{ [1, {'a': []}] | tojson(indent='--') }} {{ [1, 2] | tojson(separators=(',', ':')) }} {{ {'b': 1, 'a': 2} | tojson(sort_keys=true) }} {{ {'a': [1]} | tojson(indent=4, separators=(', ', ' : ')) }} {{ {1: 'a', none: 'b', true: 'c', 1.5: 'd'} | tojson }} {{ d | tojson(indent=none) }}
{{ 'a\x00\x1f\x7f\b\f' | tojson }} {{ '\u2028' | tojson }} {{ 1e300 * 1e300 | tojson if false }}{{ (1e300 * 1e300) | tojson }} {{ 1e16 | tojson }} {{ 'x' | safe | tojson }}
{{ missing | tojson }}
{{ range | tojson }}
{{ [missing] | tojson }}
{{ missing | int }}
{{ missing | float }}
{{ 'a' | round }}
{{ 'a' | abs }}
{{ 5 | round(1, 'x') }}
{{ 5 | default(1, 2, 3, 4) }}
{{ 5 | int(zzz=1) }}
{{ {(1, 2): 3} | tojson }}
{{ 5 | round('x') }}
""".strip("\n")

FILTERS_LIST = r"""
{{ list | join }} {{ list | join(', ') }} {{ people | join('|', attribute='name') }} {{ 'abc' | join('-') }} {{ [1, none, 'x'] | join(d='/') }} {{ d | join(',') }} {{ [] | join(',') }} {{ missing | join(',') }} {{ [[1], 'a'] | join(1) }}
{{ list | first }} {{ list | last }} [{{ [] | first }}] [{{ [] | last }}] {{ d | first }} {{ d | last }} {{ range(3) | last }} {{ missing | first }}|
{{ list | length }} {{ d | length }} {{ name | count }} {{ missing | length }} {{ () | length }} {{ d.items() | length }}
{{ list | sort }} {{ list | sort(reverse=true) }} {{ words | sort }} {{ words | sort(case_sensitive=true) }} {{ people | sort(attribute='name') | map(attribute='name') | join(',') }} {{ people | sort(attribute='age,name') | map(attribute='name') | join(',') }} {{ people | sort(true, attribute='age') | map(attribute='name') | join(',') }} {{ 'bca' | sort }} {{ d | sort }} {{ [(2, 'a'), (1, 'b')] | sort }} {{ [2, 1.5, true] | sort }}
{{ list | reverse | list }} {{ (1, 2) | reverse | list }} {{ words | unique | list }} {{ words | unique(true) | list }} {{ people | unique(attribute='age') | map(attribute='name') | list }} {{ [1, 1.0, true, '1'] | unique | list }} {{ 'aAb' | unique | join }}
{{ list | max }} {{ list | min }} {{ words | max }} {{ words | min(case_sensitive=true) }} {{ (people | max(attribute='age')).name }} [{{ [] | max }}] {{ [1, 1.0] | max }}
{{ list | sum }} {{ people | sum(attribute='age') }} {{ list | sum(start=10) }} {{ [0.5, 1] | sum }} {{ [] | sum }} {{ [[1], [2]] | sum(start=[]) }} {{ [true, true] | sum }}
{{ range(7) | batch(3) | list }} {{ range(7) | batch(3, 'x') | list }} {{ range(7) | slice(3) | list }} {{ range(7) | slice(3, 'x') | list }} {{ [] | batch(2) | list }}
{{ list | map('string') | list }} {{ words | map('upper') | join(',') }} {{ people | map(attribute='name') | list }} {{ people | map(attribute='tags.k', default='-') | list }} {{ people | map(attribute='zz', default=0) | list }} {{ words | map('replace', 'p', 'q') | list }} {{ [[1, 2], [3, 4]] | map(attribute=0) | list }} {{ [[1, 2], [3, 4]] | map('first') | list }} {{ ['a'] | map('default', 'x') | list }} {{ [1.26] | map('round', 1) | list }} {{ ['1', '2'] | map('int') | sum }}
{{ list | select('odd') | list }} {{ list | reject('odd') | list }} {{ [0, 1, '', 'a', none] | select | list }} {{ [0, 1, '', 'a', none] | reject | list }} {{ list | select('>', 1) | list }} {{ list | select('in', [1, 2]) | list }} {{ words | select('equalto', 'fig') | list }} {{ [1, missing] | select('defined') | list }}
{{ people | selectattr('age', 'equalto', 31) | map(attribute='name') | list }} {{ people | rejectattr('age', 'gt', 10) | map(attribute='name') | list }} {{ people | selectattr('tags') | list | length }} {{ people | selectattr('tags', 'defined') | list | length }} {{ people | selectattr('name', 'in', ['Bo', 'Cy']) | list | length }} {{ people | rejectattr('tags', 'undefined') | list | length }} {{ people | selectattr('age', '==', 9) | first }} {{ people | selectattr('tags.k', 'eq', 2) | list if false else 'x' }}
{% for g in people | groupby('age') %}{{ g.grouper }}:{{ g.list | map(attribute='name') | join('+') }};{% endfor %}{% for k, v in people | groupby('age') %}{{ k }}={{ v | length }} {% endfor %}{{ (people | groupby('age'))[0][0] }} {% for k, v in words | groupby(0) %}{{ k }}{{ v }}{% endfor %} {% for k, v in people | groupby('tags.k', default='none') if false %}{% endfor %}
{{ d | dictsort }} {{ {'b': 2, 'A': 3, 'c': 1} | dictsort }} {{ {'b': 2, 'A': 3} | dictsort(true) }} {{ {'b': 2, 'A': 3, 'c': 1} | dictsort(by='value') }} {{ {'b': 2, 'a': 3} | dictsort(false, 'key', true) }}
{{ d | items | list }} {{ missing | items | list }} {% for k, v in d | items %}{{ k }}{% endfor %} {{ d | list }} {{ 'abc' | list }} {{ missing | list }} {{ range(3) | list }} {{ d.items() | list }}
{{ (list | select('odd')) is iterable }} {{ (list | map('string')) is sequence }} [{{ (list | map('string'))[0] }}] {{ 'y' if [] | select else 'n' }} {% set g = list | map('string') %}{{ g | list }}{{ g | list }} {{ g | first }}| {{ list | select('odd') | first }} {% set h = list | map('string') %}{{ h | first }}{{ h | first }}
{{ list | map('upper') | map('lower') | list }} {{ nested | map('last') | map('last') | list if false else 1 }} {{ nested | sum(start=[]) }}
{{ list | select('odd') | length }}
{{ list | map('string') | last }}
{{ list | map('nope') | list }}
{{ list | select('nope') | list }}
{{ list | map | list }}
{{ people | selectattr | list }}
{{ people | map(attribute='tags.k') | list }}
{{ people | map(attribute='tags.k.z') | list }}
{{ [1, 'a'] | sort }}
{{ [1, 'a'] | max }}
{{ ['a'] | sum }}
{{ 5 | list }}
{{ 5 | join }}
{{ 5 | length }}
{{ none | first }}
{{ list | items | list }}
{{ list | dictsort }}
{{ {'a': 1} | dictsort(by='x') }}
{{ none | items | list }}
{{ [[1]] | unique | list }}
""".strip("\n")

TESTS = r"""
{{ x is defined }} {{ missing is defined }} {{ missing is undefined }} {{ d.zz is defined }} {{ d.b is not defined }} {{ nothing is defined }} {{ nothing is none }} {{ 0 is none }} {{ missing is none }}
{{ 'a' is string }} {{ 1 is string }} {{ 1 is number }} {{ true is number }} {{ 1.5 is number }} {{ 'a' is number }} {{ 1 is integer }} {{ true is integer }} {{ 1.0 is integer }} {{ 1.0 is float }} {{ 1 is float }} {{ true is boolean }} {{ 1 is boolean }} {{ true is true }} {{ 1 is true }} {{ false is false }} {{ 0 is false }}
{{ d is mapping }} {{ list is mapping }} {{ list is iterable }} {{ 'a' is iterable }} {{ 5 is iterable }} {{ d is iterable }} {{ missing is iterable }} {{ list is sequence }} {{ 'a' is sequence }} {{ d is sequence }} {{ 5 is sequence }} {{ missing is sequence }} {{ (1,) is sequence }} {{ range(2) is sequence }} {{ d.items() is sequence }} {{ none is iterable }}
{{ 3 is odd }} {{ 3 is even }} {{ 4 is divisibleby 2 }} {{ 4 is divisibleby(3) }} {{ -3 is odd }} {{ 1.0 is odd }} {{ 2.5 is odd }} {{ 0 is even }}
{{ 'a' is lower }} {{ 'A' is upper }} {{ 'a1' is lower }} {{ 'É' is upper }} {{ 1 is lower }} {{ range is callable }} {{ 'a' is callable }} {{ 'a' is sameas 'a' }} {{ none is sameas none }} {{ true is sameas true }} {{ 1 is sameas true }} {{ list is sameas list }} {{ [1] is sameas [1] }}
{{ 1 is eq 1 }} {{ 1 is equalto 2 }} {{ 1 is ne 2 }} {{ 2 is gt 1 }} {{ 2 is ge 2 }} {{ 1 is lt 2 }} {{ 2 is le 1 }} {{ 2 is greaterthan 1 }} {{ 1 is lessthan(2) }} {{ 1 is in [1, 2] }} {{ 'a' is in 'abc' }} {{ 1 is not in [2] }} {{ 'upper' is filter }} {{ 'nope' is filter }} {{ 'odd' is test }} {{ 'b' is in d }}
{{ not missing is defined }} {{ x is defined and n is defined }} {{ missing is defined or true }} {{ 'y' if x is defined else 'n' }} {{ 1 + 2 is odd }} {{ -1 is odd }} {{ name is string and name is not none }} {{ list[0] is odd }} {{ name | length is odd }} {{ 4 is divisibleby 2 and true }} {{ x is eq d.b }}
{{ 1 is nope }}
{{ 1 is defined is true }}
{{ 'a' is odd }}
{{ 1 is divisibleby }}
{{ 1 is divisibleby 0 }}
{{ missing is odd }}
""".strip("\n")

STATEMENTS = [
    "{% if yes %}a{% elif no %}b{% else %}c{% endif %}{% if no %}a{% elif yes %}b{% else %}c{% endif %}{% if no %}a{% endif %}",
    "{% if missing %}a{% else %}b{% endif %}{% if [] %}a{% elif '' %}b{% elif 0.0 %}c{% elif {} %}d{% else %}e{% endif %}",
    "{% for x in list %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }} {% endfor %}",
    "{% for x in list %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {{ loop.cycle('a', 'b') }} {{ loop.changed(x > 1) }}; {% endfor %}",
    "{% for x in list if x > 1 %}{{ x }}{{ loop.index }}/{{ loop.length }} {% else %}none{% endfor %}{% for x in [] %}{% else %}none{% endfor %}",
    "{% for x in list %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}|{% for x in list %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% for a, b in [(1, 2), [3, 4], 'xy'] %}{{ a }}-{{ b }} {% endfor %}{% for (a, b) in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
    "{% for k in d %}{{ k }} {% endfor %}{% for c in 'äb' %}[{{ c }}]{% endfor %}{% for x in missing %}x{% endfor %}{% for x in 1, 2 %}{{ x }}{% endfor %}",
    "{% for x in [1, 2] %}{% for y in [3, 4] %}{{ loop.index }}{{ x }}{{ y }} {% endfor %}{{ loop.index }};{% endfor %}",
    "{% for t in tree recursive %}{{ t.v }}@{{ loop.depth }}{% if t.kids %}({{ loop(t.kids) }}){% endif %}{% endfor %}",
    "{% for x in list | map('string') %}{{ x }}{{ loop.last }}{{ loop.length }} {% endfor %}",
    "{% set x = 0 %}{% for i in [1, 2] %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}",
    "{% set x = 1 %}{% if yes %}{% set x = 2 %}{% endif %}{{ x }}{% for i in [1] %}{% if yes %}{% set y = 3 %}{% endif %}{{ y }}{% endfor %}[{{ y }}]",
    "{% set n = namespace(x=0, y=[]) %}{% for i in list %}{% set n.x = n.x + i %}{% set n.y = n.y + [i] %}{% endfor %}{{ n.x }} {{ n.y }} [{{ n.z }}] {{ n['x'] }}",
    "{% set n = namespace() %}{% set n.a = 1 %}{{ n.a }}{{ n.a is defined }}{{ n.b is defined }}{% set m = namespace({'q': 2}, r=3) %}{{ m.q }}{{ m.r }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set (c, d2) = [3, 4] %}{{ c }}{{ d2 }}{% set a, b = b, a %}{{ a }}{{ b }}{% set t = 1, 2 %}{{ t }}",
    "{% set n = namespace(a=1, b=2) %}{% set n.a, n.b = 3, 4 %}{{ n.a }}{{ n.b }}",
    "{% set x %}  a{{ n }} {% endset %}[{{ x }}]{% set y | upper | trim %} abc {% endset %}[{{ y }}]{% set z %}{% endset %}[{{ z }}]",
    "{% set x %}{% set inner = 1 %}{{ inner }}{% endset %}{{ x }}[{{ inner }}]",
    "{% macro m(a, b='x', c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, 2) }} {{ m(b=2, a=1) }} {{ m(1, c=3) }} [{{ m() }}]",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}{{ m() }}{% macro k(a) %}{{ a }}{{ varargs }}{% endmacro %}{{ k(1, 2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(*[1]) }}{{ m(**{'a': 2}) }}{{ m(*(3,)) }}{{ dict(**{'k': 1}) }}",
    "{% macro fact(n) %}{{ 1 if n < 2 else n * fact(n - 1) | int }}{% endmacro %}{{ fact(6) }}",
    "{% macro m() %}{{ outer }}{% endmacro %}{% set outer = 5 %}{{ m() }}{% for outer in [7] %}{{ m() }}{% endfor %}",
    "{% for v in [1, 2] %}{% macro m() %}{{ v }}{% endmacro %}{{ m() }}{% endfor %}[{{ m is defined }}]",
    "{% macro outer(x) %}{% macro inner(y) %}{{ x }}{{ y }}{% endmacro %}{{ inner(2) }}{% endmacro %}{{ outer(1) }}",
    "{% macro m(x) %}{% set x = x + 1 %}{{ x }}{% endmacro %}{{ m(1) }}{{ m(1) }}",
    "{% macro m(title) %}<{{ title }}>{{ caller() }}</>{% endmacro %}{% call m('t') %}body {{ name }}{% endcall %}",
    "{% macro m(l) %}{% for x in l %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(y) m([1, 2]) %}[{{ y }}]{% endcall %}",
    "{% macro m() %}{{ caller is defined }}{% if caller %}{{ caller() }}{% endif %}{% endmacro %}{{ m() }}{% call m() %}b{% endcall %}",
    "{% macro m(a) %}{{ a | upper }}{% endmacro %}{{ m('x') ~ m('y') }} {{ m('z') | lower }} {{ [m('q')] }}",
    "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}[{{ a }}]{% with %}{% set q = 1 %}{{ q }}{% endwith %}[{{ q }}]",
    "{% filter upper %}a{{ name }}b{% endfilter %}{% filter replace('a', 'b') | upper %}banana{% endfilter %}",
    "{% generation %}{{ name }}{% set g = 1 %}{% endgeneration %}[{{ g }}]",
    "{% raw %}{{ x }}{% if %}{# #}{% endraw %}a{%- raw -%}  b  {%- endraw -%}  c",
    "{# comment #}a{#- c -#}  b  {# multi\nline #}c",
    "{% set ns = namespace(found=false) %}{% for m in people %}{% if m.age == 9 %}{% set ns.found = true %}{% break %}{% endif %}{% endfor %}{{ ns.found }}",
    "{% for x in range(3) %}{% if loop.first %}{% continue %}{% endif %}{{ loop.index }}{% endfor %}",
    "{% for x in [1, 2, 3] %}{% set y = x %}{% if x == 2 %}{% set y = 'two' %}{% endif %}{{ y }}{% endfor %}",
    "{% for m in people %}{{ loop.index0 }}{% for t in m.tags %}{{ t }}{{ m.tags[t] }}{% endfor %}{% endfor %}",
    "{% set f = 'upper' %}{% set l = [] %}{% for x in words %}{% set l = l + [x] %}{% endfor %}{{ l }}",
    "{% if 'a' in 'abc' and 1 < 2 %}yes{% endif %}{% if not ('z' in 'abc') %}yes{% endif %}{% if name is string and name | length > 2 %}yes{% endif %}",
    "{% set j = joiner('; ') %}{% for x in list %}{{ j() }}{{ x }}{% endfor %}",
    "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}",
    "{%- macro p(x) -%}\n  {{- x -}}\n{%- endmacro -%}\n{{ p(1) }}\n{{ p(2) }}",
    "{% set d2 = dict(d, z=9) %}{{ d2.z }}{{ d2 | length }}{{ d | length }}",
    "{% set x = 5 if yes else 6 %}{{ x }}{% set l = [1, 2][::-1] %}{{ l }}{% set e = {'k': name} %}{{ e.k }}",
    "{% set loop_messages = people[1:] %}{% for m in loop_messages %}{{ m['name'] }}{% endfor %}{{ people[0]['name'] == 'Bo' }}",
    "{% for x in list %}{% else %}{% endfor %}{% for x in 'ab' %}{{ x }}{% endfor %}",
    # refused by jinja2
    "{% if %}{% endif %}", "{% if yes %}", "{% endif %}", "{% for x list %}{% endfor %}", "{% for x in list %}", "{% nope %}",
    "{% set = 1 %}", "{% set x 1 %}", "{% set true = 1 %}", "{% set x.y = 1 %}", "{% set name.y = 1 %}", "{% set a, b = 1 %}",
    "{% set a, b = [1, 2, 3] %}", "{% for a, b in [1] %}{% endfor %}", "{% for a, b in [(1, 2, 3)] %}{% endfor %}",
    "{% for x in 5 %}{% endfor %}", "{% for x in none %}{% endfor %}", "{% macro m %}{% endmacro %}", "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}{% endmacro %}{{ m(b=1) }}", "{% macro m(a) %}{% endmacro %}{{ m(1, a=1) }}", "{% macro m(a=1, b) %}{% endmacro %}",
    "{{ raise_exception('stop') }}", "{% if no %}{{ raise_exception('stop') }}{% endif %}fine", "{% break %}", "{% include 'x' %}",
    "{{ loop.index }}", "{% for x in [1] %}{{ loop(x) }}{% endfor %}", "{{ name", "{# open", "{{ }}", "{{ 1 2 }}", "{{ (1 }}", "{{ [1) }}",
    "{% call n() %}{% endcall %}", "{% call n %}{% endcall %}", "{{ f(a=1, a=2) }}", "{{ f(a=1, 2) }}", "{{ range(2, **{'x': 1}) }}",
    "{% with a %}{% endwith %}", "{% filter nope %}{% endfilter %}", "{{ namespace(1) }}", "{% set n = namespace() %}{{ 'x' in n }}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}", "{{ people[0].name() }}", "{% for m in people %}{{ m.nope.x }}{% endfor %}",
]

WHITESPACE = [
    "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n", "a  {%- if yes -%}  b  {%- endif %}  c", "a {# note #} b\n{# note #}\nc",
    "  {% if yes %}x{% endif %}\n  y", "a {% if yes %}\n b {% endif %} \nc", "{% if yes -%}\n\n  b\n\n{%- endif %}\n\nc",
    "  {{ name }}\n  {{ name }}\n", "a\n  {{- name -}}  \n  b", "x\n\n{% set y = 1 %}\n\n{{ y }}", "  {%+ if yes %}a{% endif %}", "a\n{% if yes +%}\nb{% endif %}",
    "a\n {#- c -#} \nb", "a\n  {# c #}\n  b", "a\n  {# c +#}\n  b", "{{ name }}\n\n", "{{ name }}\n", "\n", "", "\n\na", "a\r\nb\rc\r\n{% if yes %}\r\nd{% endif %}\r\n",
    "\t{% if yes %}\tx\t{% endif %}\t", "{{ name }}  {% if yes %}x{% endif %}", "a{{ ' ' }}  {% if yes %}b{% endif %}", "{% for x in list %}\n{{ x }}\n{% endfor %}\nend",
    "{% for x in list -%}\n{{ x }}\n{%- endfor %}\nend", "{%- for x in list %}\n  {{- x }}\n{%- endfor -%}\n end", "  {% raw %}  {{ a }}\n  {% endraw %}\n b", "{{- name -}}", "  {{- name -}}  ",
    "a\u00a0{%- if yes -%}\u2003b{%- endif %}", "{ {% if yes %}{%{% endif %}", "{{ '{{' }}{{ '%}' }}{{ \"}}\" }}", "{{ {'a': {'b': 1}}['a']['b'] }}", "{{ {'a': {'b': 1}} }}", "{{{'a': 1}.a}}",
    "{% set x = {'a': 1} %}{{ x }}", "{{ [1,\n 2] }}\n{{ 'a'\n}}", "a {%- set x = 1 %} b {%- set y = 2 -%} c", "#{# x #}#", "{{ 1 }}{# x -#}\n\n b", "{%if yes%}a{%else%}b{%endif%}", "{%-if yes-%} a {%-endif-%}",
    "  {%- set x = 1 -%}  \n  {{ x }}", "a\n    \n  {% if yes %}b{% endif %}", "{% if yes %}   \n  a{% endif %}", "line\n{% endif_ %}", "{{ name }}{% if yes %}\n{% endif %}\n.", "}} %} #}", "{", "{ {", "a{", "{%", "a {{- '' -}} b",
]


def all_snippets() -> list[str]:
    lines = "\n".join([LITERALS, OPERATORS, ACCESS, METHODS, FILTERS_TEXT, FILTERS_VALUE, FILTERS_LIST, TESTS])
    found, kept = [], ""
    for line in lines.split("\n"):  # a string of one snippet goes over two lines
        kept = kept + "\n" + line if kept else line
        if line.endswith('"line') and "{{" in line:
            continue
        found.append(kept)
        kept = ""
    # The parts of a long line one by one too, so that a difference shows where it is.
    parts = [part for line in found if len(line) > 100 and "{%" not in line and "\n" not in line
             for part in line.replace("}} {{", "}}\x01{{").split("\x01")]
    return found + parts + STATEMENTS + WHITESPACE
