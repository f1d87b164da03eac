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

function refused(title: string, body: string, says: string | RegExp): HostileBody {
  return {
    title,
    kind: 'transformation',
    body,
    outcome: 'refused',
    says,
  }
}

function accepted(title: string, body: string): HostileBody {
  return {
    title,
    kind: 'transformation',
    body,
    outcome: 'accepted',
  }
}

function condition(body: HostileBody): HostileBody {
  return { ...body, kind: 'condition' }
}

const RUN = 'function run(uint32 x, uint32[] calldata args) public view returns (uint32) {'

const escapes: HostileBody[] = [
  refused('second function', 'return x; } function evil() public pure returns (uint) { return 1;', ESCAPE),
  refused('second contract', 'return x; } } contract Evil { function f() public {', ESCAPE),
  refused('second library', 'return x; } } library Evil { function f() public {', ESCAPE),
  refused('abstract contract', 'return x; } } abstract contract Evil { function f() public {', ESCAPE),
  refused(
    'interface',
    'return x; } } interface I { function f() external; } contract E { function g() public {',
    ESCAPE,
  ),
  refused(
    'free function',
    'return x; } } function free() pure {} contract E { function f() public {',
    ESCAPE,
  ),
  refused(
    'overload of run',
    'return x; } function run(uint32 y) public view returns (uint32) { return y;',
    ESCAPE,
  ),
  refused(
    'another contract of the wrapper name',
    `return x; } } contract Transformation2 { ${RUN} return x;`,
    ESCAPE,
  ),
  refused(
    'a range of its own',
    `return x; } function range(uint32 x, uint32 n, uint32[] calldata args) external view {} } contract Transformation2 { ${RUN} return x;`,
    ESCAPE,
  ),
  refused('fallback', 'return x; } fallback() external payable {', ESCAPE),
  refused('receive', 'return x; } receive() external payable {', ESCAPE),
  refused('constructor', 'return x; } constructor() {', ESCAPE),
  refused('modifier', 'return x; } modifier m() { _;', ESCAPE),
  refused('state variable', 'return x; } uint256 public state; function f() public {', ESCAPE),
  refused('event', 'return x; } event E(); function f() public {', ESCAPE),
  refused('struct', 'return x; } struct S { uint a; } function f() public {', ESCAPE),
  refused('enum', 'return x; } enum E { A } function f() public {', ESCAPE),
  refused('error', 'return x; } error E(); function f() public {', ESCAPE),
  refused('user type', 'return x; } type T is uint; function f() public {', ESCAPE),
  refused('using for', 'return x; } using L for uint; function f() public {', ESCAPE),
  refused('import', 'return x; } } import "evil.sol"; contract E { function f() public {', ESCAPE),
  refused(
    'import of a file',
    'return x; } } import "/etc/passwd"; contract E { function f() public {',
    ESCAPE,
  ),
  refused('pragma', 'return x; } } pragma abicoder v1; contract E { function f() public {', ESCAPE),
  refused('base contract', 'return x; } } contract B { } contract E is B { function f() public {', ESCAPE),
  refused(
    'constant of the file',
    'return x; } } uint constant C = 1; contract E { function f() public {',
    ESCAPE,
  ),
  refused('escape behind a comment', 'return x; /* { */ } function evil() public { /* } */', ESCAPE),
  refused('escape behind a string', 'string memory s = "{"; s; return x; } function evil() public {', ESCAPE),
  refused('escape with CRLF', 'return x;\r\n}\r\nfunction evil() public {\r\n', ESCAPE),
  refused(
    'escape behind a line comment ended by a vertical separator',
    'return x; // \u2028 } function evil() public {\n } function evil2() public {',
    /Mismatching|exactly one|ILLEGAL|Invalid/,
  ),
  refused('two escapes', 'return x; } function a() public {} function b() public {', ESCAPE),
  condition(refused('second function in a condition', 'return true; } function evil() public { ', ESCAPE)),
  condition(
    refused('second contract in a condition', 'return true; } } contract E { function f() public {', ESCAPE),
  ),
  refused('empty function closed at once', '} function f() public {', ESCAPE),
  refused('one closing brace', 'return x; }', ESCAPE),
  refused('many closing braces', '}'.repeat(1000), ESCAPE),
  refused('one opening brace', 'return x; {', UNBALANCED),
  refused('closing brace and an open comment', 'return x; } } /*', ESCAPE),
  refused('assembly that closes the contract', 'assembly { } } function g() public { assembly {', UNBALANCED),
]

const unterminated: HostileBody[] = [
  refused('open comment', 'return x; /*', '1:11 Expected multi-line comment-terminator'),
  refused('open string', 'return x; "abc', '1:11 Expected string end-quote'),
  refused('open hex string', 'return x; hex"ab', /1:1\d Expected/),
  refused('open bracket', 'return args[0', /Expected/),
  refused('open parenthesis', 'return (x', /Expected/),
  refused('missing semicolon', 'return x', "1:9 Expected ';' but got '}'"),
  accepted('line comment at the end', 'return x; // } }'),
  accepted('braces in a comment', 'return x; /* } function evil() {} { */'),
  accepted('braces in a string', 'string memory s = "} } contract E {"; s; return x;'),
]

const declarations: HostileBody[] = [
  refused('import inside', 'import "x"; return x;', 'Expected primary expression'),
  refused('struct inside', 'struct S { uint a; } return x;', 'Expected primary expression'),
  refused('enum inside', 'enum E { A } return x;', 'Expected primary expression'),
  refused('event inside', 'event E(); return x;', 'Expected primary expression'),
  refused('modifier inside', 'modifier m() { _; } return x;', 'Expected primary expression'),
  refused('using inside', 'using L for uint; return x;', 'Expected primary expression'),
  refused('pragma inside', 'pragma solidity ^0.4.0; return x;', 'Expected primary expression'),
  refused('constructor inside', 'constructor() {} return x;', 'Expected primary expression'),
  refused('contract inside', 'contract E {} return x;', 'Expected primary expression'),
  refused('function inside', 'function f() public {} return x;', /Expected/),
  refused('public state inside', 'uint256 public y; return x;', "Expected ';' but got 'public'"),
  refused('placeholder of a modifier', '_; return x;', 'Undeclared identifier'),
  refused('undeclared event', 'emit X(); return x;', 'Undeclared identifier'),
  refused('storage mapping', 'mapping(uint => uint) storage m; m[0]; return x;', 'Uninitialized mapping'),
]

const powers: HostileBody[] = [
  refused('selfdestruct', 'selfdestruct(payable(address(0))); return x;', MODIFIES),
  refused('selfdestruct in assembly', 'assembly { selfdestruct(0) } return x;', MODIFIES),
  refused('delegatecall', 'address(1).delegatecall(""); return x;', MODIFIES),
  refused(
    'delegatecall in assembly',
    'assembly { pop(delegatecall(gas(), 1, 0, 0, 0, 0)) } return x;',
    MODIFIES,
  ),
  refused('callcode in assembly', 'assembly { pop(callcode(gas(), 1, 0, 0, 0, 0, 0)) } return x;', MODIFIES),
  refused('call', '(bool ok,) = address(1).call(""); ok; return x;', MODIFIES),
  refused('transfer', 'payable(address(1)).transfer(1); return x;', MODIFIES),
  refused('create in assembly', 'assembly { pop(create(0, 0, 0)) } return x;', MODIFIES),
  refused('create2 in assembly', 'assembly { pop(create2(0, 0, 0, 0)) } return x;', MODIFIES),
  refused('new of its own contract', 'new Transformation(); return x;', 'Circular reference'),
  refused(
    'creation code of its own contract',
    'return uint32(type(Transformation).creationCode.length);',
    'Circular reference',
  ),
  refused('storage write in assembly', 'assembly { sstore(0, 1) } return x;', MODIFIES),
  refused('transient write in assembly', 'assembly { tstore(0, 1) } return x;', MODIFIES),
  refused('log in assembly', 'assembly { log0(0, 0) } return x;', MODIFIES),
  refused('raw opcode in assembly', 'assembly { verbatim_0i_0o(hex"ff") } return x;', 'not found'),
  refused('jump in assembly', 'assembly { jump(0) } return x;', 'not found'),
  refused('state-changing function pointer', 'function () internal f; f(); return x;', MODIFIES),
  condition(refused('storage write in a condition', 'assembly { sstore(0, 1) } return true;', MODIFIES)),
]

const text: HostileBody[] = [
  refused('NUL byte', 'return x;\0', '1:10 Invalid token'),
  refused('NUL byte in a comment before an escape', '/*\0*/ return x; } function evil() public {', ESCAPE),
  refused('byte order mark', '\uFEFFreturn x;', '1:1 Invalid token'),
  refused('lone high surrogate', 'return x; // \uD800', 'not well-formed Unicode'),
  refused('lone low surrogate', 'return x; /* \uDC00 */', 'not well-formed Unicode'),
  refused('bidirectional override in a comment', '/* \u202E */ return x;', 'directional override'),
  accepted('bidirectional isolates in a comment', '/* \u2066 } \u2067 */ return x;'),
  refused('unicode identifier', 'uint32 é = 1; return x;', "1:8 Expected ';' but got 'ILLEGAL'"),
  refused('homoglyph identifier', 'return \u0445;', '1:8 Invalid token'),
  refused('zero-width space', 'return\u200B x;', '1:7 Invalid token'),
  refused('unicode in a plain string', 'string memory s = "é"; s; return x;', 'Invalid character in string'),
  refused(
    'error after multi-byte characters',
    '/* 😀é */ y;\r\n  zz;\n return x;',
    '1:10 Undeclared identifier.\n2:3 Undeclared identifier.',
  ),
  accepted('CRLF', 'uint32 y = 1;\r\nreturn x + y;\r\n'),
  accepted('emoji in a comment', '/* 😀 */ return x;'),
  refused('one megabyte', `return x; // ${'a'.repeat(2 ** 20)}`, 'longer than 32768 bytes'),
  refused('too long only in bytes', `return x; // ${'é'.repeat(16_384)}`, 'longer than 32768 bytes'),
  refused('blank', ' \n\t\r\n ', 'empty'),
  refused('empty', '', 'empty'),
]

const sizes: HostileBody[] = [
  refused('15,000 parentheses', `return ${'('.repeat(15_000)}x${')'.repeat(15_000)};`, DEEP),
  refused('1,000 parentheses', `return ${'('.repeat(1000)}x${')'.repeat(1000)};`, DEEP),
  refused('15,000 blocks', `${'{'.repeat(15_000)}${'}'.repeat(15_000)} return x;`, DEEP),
  accepted('200 blocks', `${'{'.repeat(200)}${'}'.repeat(200)} return x;`),
  refused('10,000 unary operators', `return ${'~'.repeat(10_000)}x;`, DEEP),
  refused('4,000 conditionals', `return ${'x>0?1:'.repeat(4000)}x;`, DEEP),
  refused('5,000 additions', `return x${'+1'.repeat(5000)};`, SLOW),
  refused(
    'nested array types',
    `uint${'[1]'.repeat(8000)} memory a; return x;`,
    /Maximum recursion|gave up|took longer|too large/,
  ),
  refused(
    'type too large for memory',
    `uint${'[1000000]'.repeat(20)} memory a; return x;`,
    'too large for memory',
  ),
  refused(
    'nested function types',
    `${'function('.repeat(3000)}${')'.repeat(3000)} f; return x;`,
    /Maximum recursion|gave up|took longer|Expected/,
  ),
  refused('tower of powers', 'return uint32(2**2**2**2**2**2);', 'cannot be applied'),
  refused('power of a power', 'return uint32((2**4095)**(2**4095));', 'cannot be applied'),
  refused('huge exponent', 'return uint32(1e999999999);', 'Invalid literal value'),
  refused('huge shift', 'return uint32(1 << 99999999999);', 'cannot be applied'),
  refused('9,000 digits', `return ${'9'.repeat(9000)};`, 'not implicitly convertible'),
  refused(
    '1,500 locals',
    `${Array.from({ length: 1500 }, (_, i) => `uint v${i}=x+${i};`).join('')}return x;`,
    SLOW,
  ),
  refused('3,000 statements', `${'x=x*3+1;'.repeat(3000)}return x;`, SLOW),
  refused(
    'string of 30,000 characters',
    `string memory s = "${'a'.repeat(30_000)}"; return uint32(bytes(s).length);`,
    SLOW,
  ),
  refused('argument index out of range', 'return args[4294967295];', '1:8 args[4294967295] is out of range'),
  refused('argument index beyond a word', `return args[1${'0'.repeat(78)}];`, 'not implicitly convertible'),
]

const atRunTime: HostileBody[] = [
  accepted('infinite while loop', 'while (true) {} return x;'),
  accepted('infinite for loop', 'for (;;) { unchecked { x++; } }'),
  accepted('infinite loop in assembly', 'assembly { for {} 1 {} {} } return x;'),
  accepted('infinite recursion', 'return run(x, args);'),
  accepted(
    'infinite recursion through calls',
    '(bool ok,) = address(this).staticcall(msg.data); ok; return x;',
  ),
  accepted(
    'infinite recursion in assembly',
    'assembly { function f() -> r { r := f() } x := f() } return x;',
  ),
  accepted('huge memory', 'uint256[] memory a = new uint256[](1e18); return uint32(a.length);'),
  accepted('huge memory in assembly', 'assembly { mstore(0xffffffffffff, 1) } return x;'),
  accepted('memory that grows', 'for (uint256 i = 1; ; i *= 2) { bytes memory b = new bytes(i); b; }'),
  accepted('broken free memory pointer', 'assembly { mstore(0x40, 0) } return x;'),
  accepted('revert with much data', 'revert(string(new bytes(100000)));'),
  accepted('revert with raw data', 'assembly { revert(0, 0x10000) }'),
  accepted('early return from assembly', 'assembly { return(0, 0) } return x;'),
  accepted('early return of much data', 'assembly { return(0, 0x100000) } return x;'),
  accepted('invalid opcode', 'assembly { invalid() } return x;'),
  accepted('stop', 'assembly { stop() } return x;'),
  accepted(
    'call of a precompile',
    '(bool ok, bytes memory data) = address(4).staticcall(new bytes(100)); ok; return uint32(data.length);',
  ),
  accepted('static call in assembly', 'assembly { pop(staticcall(gas(), 4, 0, 0x10000, 0, 0)) } return x;'),
  accepted('code length of an unused address', 'return x + uint32(address(0xdead).code.length);'),
  accepted(
    'chain state',
    'return uint32(uint256(blockhash(block.number - 1)) ^ block.timestamp ^ gasleft());',
  ),
  accepted('storage read', 'assembly { x := sload(0) } return x;'),
  refused(
    'try and catch of itself',
    'try this.run(x, args) returns (uint32 y) { return y; } catch { return 0; }',
    'Member "run" not found',
  ),
  accepted(
    'function pointer to itself',
    'function (uint32, uint32[] calldata) view returns (uint32) f = run; return f(x, args);',
  ),
  accepted('uninitialised function pointer', 'function () internal view f; f(); return x;'),
  accepted('dirty upper bits', 'assembly { x := not(0) } return x;'),
  accepted('no return', 'x;'),
  accepted('wrap around', 'unchecked { return x - 1; }'),
  accepted('division by zero', 'return x / (x - x);'),
  accepted('failing assertion', 'assert(false); return x;'),
  accepted('argument that is never given', 'return args[4294967294];'),
  condition(accepted('infinite loop in a condition', 'while (true) {} return true;')),
  condition(accepted('recursion in a condition', 'return this.check(args);')),
  condition(accepted('dirty boolean', 'bool b; assembly { b := 2 } return b;')),
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
