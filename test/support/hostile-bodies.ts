/** A body written to harm, and what must become of it when it is compiled. */
export interface HostileBody {
  readonly title: string
  readonly kind: 'transformation' | 'condition'
  readonly body: string
  /** `accepted`: legal Solidity that is at most expensive, or wrong, when it runs. */
  readonly outcome: 'refused' | 'accepted'
  /** A part of the error message. */
  readonly says?: string | RegExp
}

const ESCAPE = 'exactly one function body'
const UNBALANCED = 'unbalanced brace, bracket, comment or string'
const MODIFIES = 'cannot be declared as view'
const DEEP = /nests too deeply|Maximum recursion depth|took longer/
const SLOW = /took longer|cannot make code|gave up|more than the 24576/

/** @param bodies By their titles. */
function refused(
  says: string | RegExp,
  bodies: Readonly<Record<string, string>>,
  kind: HostileBody['kind'] = 'transformation',
): HostileBody[] {
  return Object.entries(bodies).map(([title, body]) => ({ title, kind, body, outcome: 'refused', says }))
}

function accepted(
  bodies: Readonly<Record<string, string>>,
  kind: HostileBody['kind'] = 'transformation',
): HostileBody[] {
  return Object.entries(bodies).map(([title, body]) => ({ title, kind, body, outcome: 'accepted' }))
}

const RUN = 'function run(uint32 x, uint32[] calldata args) public view returns (uint32) {'

const escapes: HostileBody[] = [
  ...refused(ESCAPE, {
    'second function': 'return x; } function evil() public pure returns (uint) { return 1;',
    'second contract': 'return x; } } contract Evil { function f() public {',
    'second library': 'return x; } } library Evil { function f() public {',
    'abstract contract': 'return x; } } abstract contract Evil { function f() public {',
    interface: 'return x; } } interface I { function f() external; } contract E { function g() public {',
    'free function': 'return x; } } function free() pure {} contract E { function f() public {',
    'overload of run': 'return x; } function run(uint32 y) public view returns (uint32) { return y;',
    'another contract of the wrapper name': `return x; } } contract Transformation2 { ${RUN} return x;`,
    'a range of its own': `return x; } function range(uint32 x, uint32 n, uint32[] calldata args) external view {} } contract Transformation2 { ${RUN} return x;`,
    fallback: 'return x; } fallback() external payable {',
    receive: 'return x; } receive() external payable {',
    constructor: 'return x; } constructor() {',
    modifier: 'return x; } modifier m() { _;',
    'state variable': 'return x; } uint256 public state; function f() public {',
    event: 'return x; } event E(); function f() public {',
    struct: 'return x; } struct S { uint a; } function f() public {',
    enum: 'return x; } enum E { A } function f() public {',
    error: 'return x; } error E(); function f() public {',
    'user type': 'return x; } type T is uint; function f() public {',
    'using for': 'return x; } using L for uint; function f() public {',
    import: 'return x; } } import "evil.sol"; contract E { function f() public {',
    'import of a file': 'return x; } } import "/etc/passwd"; contract E { function f() public {',
    pragma: 'return x; } } pragma abicoder v1; contract E { function f() public {',
    'base contract': 'return x; } } contract B { } contract E is B { function f() public {',
    'constant of the file': 'return x; } } uint constant C = 1; contract E { function f() public {',
    'escape behind a comment': 'return x; /* { */ } function evil() public { /* } */',
    'escape behind a string': 'string memory s = "{"; s; return x; } function evil() public {',
    'escape with CRLF': 'return x;\r\n}\r\nfunction evil() public {\r\n',
    'two escapes': 'return x; } function a() public {} function b() public {',
    'empty function closed at once': '} function f() public {',
    'one closing brace': 'return x; }',
    'many closing braces': '}'.repeat(1000),
    'closing brace and an open comment': 'return x; } } /*',
  }),
  ...refused(/Mismatching|exactly one|ILLEGAL|Invalid/, {
    'escape behind a line comment ended by a vertical separator':
      'return x; // \u2028 } function evil() public {\n } function evil2() public {',
  }),
  ...refused(
    ESCAPE,
    {
      'second function in a condition': 'return true; } function evil() public { ',
      'second contract in a condition': 'return true; } } contract E { function f() public {',
    },
    'condition',
  ),
  ...refused(UNBALANCED, {
    'one opening brace': 'return x; {',
    'assembly that closes the contract': 'assembly { } } function g() public { assembly {',
  }),
]

const unterminated: HostileBody[] = [
  ...refused('1:11 Expected multi-line comment-terminator', { 'open comment': 'return x; /*' }),
  ...refused('1:11 Expected string end-quote', { 'open string': 'return x; "abc' }),
  ...refused(/1:1\d Expected/, { 'open hex string': 'return x; hex"ab' }),
  ...refused(/Expected/, {
    'open bracket': 'return args[0',
    'open parenthesis': 'return (x',
  }),
  ...refused("1:9 Expected ';' but got '}'", { 'missing semicolon': 'return x' }),
  ...accepted({
    'line comment at the end': 'return x; // } }',
    'braces in a comment': 'return x; /* } function evil() {} { */',
    'braces in a string': 'string memory s = "} } contract E {"; s; return x;',
  }),
]

const declarations: HostileBody[] = [
  ...refused('Expected primary expression', {
    'import inside': 'import "x"; return x;',
    'constructor inside': 'constructor() {} return x;',
    'contract inside': 'contract E {} return x;',
  }),
  ...refused(/Expected/, { 'function inside': 'function f() public {} return x;' }),
  ...refused("Expected ';' but got 'public'", { 'public state inside': 'uint256 public y; return x;' }),
  ...refused('Undeclared identifier', {
    'placeholder of a modifier': '_; return x;',
    'undeclared event': 'emit X(); return x;',
  }),
  ...refused('Uninitialized mapping', {
    'storage mapping': 'mapping(uint => uint) storage m; m[0]; return x;',
  }),
]

const powers: HostileBody[] = [
  ...refused(MODIFIES, {
    selfdestruct: 'selfdestruct(payable(address(0))); return x;',
    'selfdestruct in assembly': 'assembly { selfdestruct(0) } return x;',
    delegatecall: 'address(1).delegatecall(""); return x;',
    'delegatecall in assembly': 'assembly { pop(delegatecall(gas(), 1, 0, 0, 0, 0)) } return x;',
    'callcode in assembly': 'assembly { pop(callcode(gas(), 1, 0, 0, 0, 0, 0)) } return x;',
    call: '(bool ok,) = address(1).call(""); ok; return x;',
    transfer: 'payable(address(1)).transfer(1); return x;',
    'create in assembly': 'assembly { pop(create(0, 0, 0)) } return x;',
    'create2 in assembly': 'assembly { pop(create2(0, 0, 0, 0)) } return x;',
    'storage write in assembly': 'assembly { sstore(0, 1) } return x;',
    'transient write in assembly': 'assembly { tstore(0, 1) } return x;',
    'log in assembly': 'assembly { log0(0, 0) } return x;',
    'state-changing function pointer': 'function () internal f; f(); return x;',
  }),
  ...refused('Circular reference', {
    'new of its own contract': 'new Transformation(); return x;',
    'creation code of its own contract': 'return uint32(type(Transformation).creationCode.length);',
  }),
  ...refused('not found', {
    'raw opcode in assembly': 'assembly { verbatim_0i_0o(hex"ff") } return x;',
    'jump in assembly': 'assembly { jump(0) } return x;',
  }),
  ...refused(
    MODIFIES,
    { 'storage write in a condition': 'assembly { sstore(0, 1) } return true;' },
    'condition',
  ),
]

const text: HostileBody[] = [
  ...refused('1:10 Invalid token', { 'NUL byte': 'return x;\0' }),
  ...refused(ESCAPE, {
    'NUL byte in a comment before an escape': '/*\0*/ return x; } function evil() public {',
  }),
  ...refused('1:1 Invalid token', { 'byte order mark': '\uFEFFreturn x;' }),
  ...refused('not well-formed Unicode', {
    'lone high surrogate': 'return x; // \uD800',
    'lone low surrogate': 'return x; /* \uDC00 */',
  }),
  ...refused('directional override', { 'bidirectional override in a comment': '/* \u202E */ return x;' }),
  ...accepted({
    'bidirectional isolates in a comment': '/* \u2066 } \u2067 */ return x;',
    CRLF: 'uint32 y = 1;\r\nreturn x + y;\r\n',
    'emoji in a comment': '/* 😀 */ return x;',
  }),
  ...refused("1:8 Expected ';' but got 'ILLEGAL'", { 'unicode identifier': 'uint32 é = 1; return x;' }),
  ...refused('1:8 Invalid token', { 'homoglyph identifier': 'return \u0445;' }),
  ...refused('1:7 Invalid token', { 'zero-width space': 'return\u200B x;' }),
  ...refused('Invalid character in string', {
    'unicode in a plain string': 'string memory s = "é"; s; return x;',
  }),
  ...refused('1:10 Undeclared identifier.\n2:3 Undeclared identifier.', {
    'error after multi-byte characters': '/* 😀é */ y;\r\n  zz;\n return x;',
  }),
  ...refused('longer than 32768 bytes', {
    'one megabyte': `return x; // ${'a'.repeat(2 ** 20)}`,
    'too long only in bytes': `return x; // ${'é'.repeat(16_384)}`,
  }),
  ...refused('empty', {
    blank: ' \n\t\r\n ',
    empty: '',
  }),
]

const sizes: HostileBody[] = [
  ...refused(DEEP, {
    '15,000 parentheses': `return ${'('.repeat(15_000)}x${')'.repeat(15_000)};`,
    '1,000 parentheses': `return ${'('.repeat(1000)}x${')'.repeat(1000)};`,
    '15,000 blocks': `${'{'.repeat(15_000)}${'}'.repeat(15_000)} return x;`,
    '10,000 unary operators': `return ${'~'.repeat(10_000)}x;`,
    '4,000 conditionals': `return ${'x>0?1:'.repeat(4000)}x;`,
  }),
  ...accepted({ '200 blocks': `${'{'.repeat(200)}${'}'.repeat(200)} return x;` }),
  ...refused(SLOW, {
    '5,000 additions': `return x${'+1'.repeat(5000)};`,
    '1,500 locals': `${Array.from({ length: 1500 }, (_, i) => `uint v${i}=x+${i};`).join('')}return x;`,
    '3,000 statements': `${'x=x*3+1;'.repeat(3000)}return x;`,
    'string of 30,000 characters': `string memory s = "${'a'.repeat(30_000)}"; return uint32(bytes(s).length);`,
  }),
  ...refused('loops in each other', {
    '40 loops in each other in assembly': `assembly { ${'for {} lt(x, 9) {} {'.repeat(40)} x := add(x, 1) ${'}'.repeat(40)} } return x;`,
    '13 loops in each other': `${'for (;;) {'.repeat(13)} x++; ${'}'.repeat(13)}`,
  }),
  ...refused(/Maximum recursion|gave up|took longer|too large/, {
    'nested array types': `uint${'[1]'.repeat(8000)} memory a; return x;`,
  }),
  ...refused('too large for memory', {
    'type too large for memory': `uint${'[1000000]'.repeat(20)} memory a; return x;`,
  }),
  ...refused(/Maximum recursion|gave up|took longer|Expected/, {
    'nested function types': `${'function('.repeat(3000)}${')'.repeat(3000)} f; return x;`,
  }),
  ...refused('cannot be applied', {
    'tower of powers': 'return uint32(2**2**2**2**2**2);',
    'power of a power': 'return uint32((2**4095)**(2**4095));',
    'huge shift': 'return uint32(1 << 99999999999);',
  }),
  ...refused('Invalid literal value', { 'huge exponent': 'return uint32(1e999999999);' }),
  ...refused('not implicitly convertible', {
    '9,000 digits': `return ${'9'.repeat(9000)};`,
    'argument index beyond a word': `return args[1${'0'.repeat(78)}];`,
  }),
  ...refused('1:8 args[4294967295] is out of range', {
    'argument index out of range': 'return args[4294967295];',
  }),
]

const atRunTime: HostileBody[] = [
  ...accepted({
    'infinite while loop': 'while (true) {} return x;',
    'infinite for loop': 'for (;;) { unchecked { x++; } }',
    'infinite loop in assembly': 'assembly { for {} 1 {} {} } return x;',
    'infinite recursion': 'return run(x, args);',
    'infinite recursion through calls': '(bool ok,) = address(this).staticcall(msg.data); ok; return x;',
    'infinite recursion in assembly': 'assembly { function f() -> r { r := f() } x := f() } return x;',
    'huge memory': 'uint256[] memory a = new uint256[](1e18); return uint32(a.length);',
    'huge memory in assembly': 'assembly { mstore(0xffffffffffff, 1) } return x;',
    'memory that grows': 'for (uint256 i = 1; ; i *= 2) { bytes memory b = new bytes(i); b; }',
    'broken free memory pointer': 'assembly { mstore(0x40, 0) } return x;',
    'revert with much data': 'revert(string(new bytes(100000)));',
    'revert with raw data': 'assembly { revert(0, 0x10000) }',
    'early return from assembly': 'assembly { return(0, 0) } return x;',
    'early return of much data': 'assembly { return(0, 0x100000) } return x;',
    'invalid opcode': 'assembly { invalid() } return x;',
    stop: 'assembly { stop() } return x;',
    'call of a precompile':
      '(bool ok, bytes memory data) = address(4).staticcall(new bytes(100)); ok; return uint32(data.length);',
    'static call in assembly': 'assembly { pop(staticcall(gas(), 4, 0, 0x10000, 0, 0)) } return x;',
    'code length of an unused address': 'return x + uint32(address(0xdead).code.length);',
    'chain state': 'return uint32(uint256(blockhash(block.number - 1)) ^ block.timestamp ^ gasleft());',
    'storage read': 'assembly { x := sload(0) } return x;',
    'function pointer to itself':
      'function (uint32, uint32[] calldata) view returns (uint32) f = run; return f(x, args);',
    'uninitialised function pointer': 'function () internal view f; f(); return x;',
    'dirty upper bits': 'assembly { x := not(0) } return x;',
    'no return': 'x;',
    'wrap around': 'unchecked { return x - 1; }',
    'division by zero': 'return x / (x - x);',
    'failing assertion': 'assert(false); return x;',
    'argument that is never given': 'return args[4294967294];',
  }),
  ...refused('Member "run" not found', {
    'try and catch of itself': 'try this.run(x, args) returns (uint32 y) { return y; } catch { return 0; }',
  }),
  ...accepted(
    {
      'infinite loop in a condition': 'while (true) {} return true;',
      'recursion in a condition': 'return this.check(args);',
      'dirty boolean': 'bool b; assembly { b := 2 } return b;',
    },
    'condition',
  ),
]

/** Every kind of harm we could think of; each has one defined outcome within the time limit of a compilation. */
export const hostileBodies: readonly HostileBody[] = [
  ...escapes,
  ...unterminated,
  ...declarations,
  ...powers,
  ...text,
  ...sizes,
  ...atRunTime,
]
