/** Longest entity name, in characters (all ASCII, so also in bytes). */
export const MAX_NAME_LENGTH = 128

/** Names of one request for titles: more than a page of the studio's list has. */
export const MAX_TITLES = 200

const PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Words that cannot be the name of a contract, so that every draft's artifact can carry its name: Solidity's
 * keywords and literals, the words reserved for its future, units, and the globals a body would no longer reach.
 * `error`, `revert`, `require`, `assert` and `from` would compile, but the original network refuses them and a name
 * must mean the same there. Ordinary words of other languages (`toString`, `__proto__`) are not here on purpose.
 */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'abstract anonymous as assembly assert break calldata case catch constant constructor continue contract',
    'default delete do else emit enum error event external fallback false final for from function hex if immutable',
    'import in indexed inline interface internal is let library mapping match memory modifier new null of override',
    'payable pragma private public pure receive require return returns revert static storage string struct switch',
    'this super throw true try type typeof unchecked unicode using var view virtual while',
    'after alias apply auto byte copyof define implements macro mutable partial promise reference relocatable sealed',
    'sizeof supports typedef',
    'address bool bytes fixed int ufixed uint',
    'wei gwei ether seconds minutes hours days weeks years',
    'abi block msg now tx',
  ].flatMap((words) => words.split(' ')),
)

/** `uint8`, `int256`, `bytes32`, `fixed128x18`: the sized types that exist. `uint7` and `bytes33` are plain words. */
function isSizedType(word: string): boolean {
  const integer = /^u?int([1-9]\d*)$/.exec(word)
  if (integer) return isBitSize(integer[1]!)
  const bytes = /^bytes([1-9]\d*)$/.exec(word)
  if (bytes) return Number(bytes[1]) <= 32
  const fixed = /^u?fixed([1-9]\d*)x(0|[1-9]\d*)$/.exec(word)
  return fixed !== null && isBitSize(fixed[1]!) && Number(fixed[2]) <= 80
}

function isBitSize(digits: string): boolean {
  const bits = Number(digits)
  return bits % 8 === 0 && bits <= 256
}

/**
 * Returns what is wrong with `name` as a name of the registry, as a sentence for the client; undefined when nothing is.
 * Reserved words are legal there: reads follow the chain.
 */
export function entityNameProblem(name: string): string | undefined {
  if (name === '') return 'Name is empty'
  if (name.length > MAX_NAME_LENGTH) return `Name is longer than ${MAX_NAME_LENGTH} characters`
  if (!PATTERN.test(name)) {
    return 'Name must start with a letter or "_" and contain only letters, digits and "_"'
  }
  return undefined
}

/**
 * Returns why `name` cannot be created through this server, as a message for the client; undefined when it can.
 *
 * @example newNameProblem('uint8') // 'Name "uint8" is a reserved word of Solidity'
 */
export function newNameProblem(name: string): string | undefined {
  const reserved = RESERVED.has(name) || isSizedType(name)
  return reserved ? `Name "${name}" is a reserved word of Solidity` : entityNameProblem(name)
}

/** Whether the registry accepts `name` for a connector, transformation or condition. Case-sensitive. */
export function isEntityName(name: string): boolean {
  return entityNameProblem(name) === undefined
}

/** Bidirectional overrides, embeddings and isolates, which reverse the text after them. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

export function withoutBidiControls(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, '')
}

export function hasBidiControls(text: string): boolean {
  return withoutBidiControls(text) !== text
}
