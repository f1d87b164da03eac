import { bytesToHex, encodeAbiParameters, keccak256, padHex, stringToHex } from 'viem/utils'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { Refusal } from '#lib/protocol/refusal.ts'

/** Code that a contract has everywhere but for words that its constructor wrote. */
interface Template {
  /** keccak256 of the code with those words zero. */
  readonly hash: Hash
  /** Where those words begin. */
  readonly words: readonly number[]
}

/** The contracts of this version: `contracts/README.md`. */
export const REGISTRY: Template = {
  hash: '0x627b34708b7436c6050e1cdbf80399bb2dbe6be10c0de8cfdc0012ac455608aa',
  words: [600, 641, 13_891, 13_938, 14_017, 14_055, 14_121],
}
export const RUNNER: Template = {
  hash: '0xac03209d67636471979963ce7f1aa936e572629600c6f3389690146e84ba228f',
  words: [132, 480],
}

const [NAME, VERSION] = ['Weft Registry', '1']
const DOMAIN_TYPE = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)

/** Checks that code is the Registry's, made for one chain at one address. @throws Refusal */
export function checkRegistryCode(code: Uint8Array, address: Address, chainId: number): void {
  const words = wordsOf(code, REGISTRY)
  if (words === undefined) {
    throw new Refusal(
      'registry_unknown',
      `The code at the registry's address ${address} is not Weft's Registry.`,
    )
  }
  const chain = word(BigInt(chainId))
  if (words[6] !== chain) {
    throw new Refusal(
      'other_chain',
      `The registry's code was made on chain ${BigInt(words[6] as Hex)}, not on chain ${chainId}.`,
    )
  }
  const [name, version] = [keccak256(stringToHex(NAME)), keccak256(stringToHex(VERSION))]
  const domain = keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
      ],
      [DOMAIN_TYPE, name, version, BigInt(chainId), address],
    ),
  )
  const expected = [shortText(NAME), shortText(VERSION), word(BigInt(address)), domain, name, version, chain]
  if (words.some((value, i) => value !== expected[i])) {
    throw new Refusal('registry_words', `The registry at ${address} was not made by its own constructor.`)
  }
}

/** Checks that code is the Runner's, made for one registry. @throws Refusal */
export function checkRunnerCode(code: Uint8Array, address: Address, registry: Address): void {
  const words = wordsOf(code, RUNNER)
  if (words === undefined) {
    throw new Refusal('runner_unknown', `The code at the runner's address ${address} is not Weft's Runner.`)
  }
  if (words.some((value) => value !== word(BigInt(registry)))) {
    throw new Refusal('runner_registry', `The runner at ${address} looks names up in another registry.`)
  }
}

/** The registry for which a Runner's code was made. @throws Refusal('runner_unknown') */
export function registryOf(runnerCode: Uint8Array): Address {
  const [first] = wordsOf(runnerCode, RUNNER) ?? []
  if (first === undefined)
    throw new Refusal('runner_unknown', "The node has no code of Weft's Runner.", false)
  return `0x${first.slice(-40)}`
}

/** Values at the words, if all other bytes are the template's. */
function wordsOf(code: Uint8Array, { hash, words }: Template): Hex[] | undefined {
  const blank = code.slice()
  const parts = words.map((at) => {
    const bytes = code.slice(at, at + 32)
    blank.fill(0, at, at + 32)
    return bytes
  })
  return keccak256(blank) === hash ? parts.map((bytes) => bytesToHex(bytes)) : undefined
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** A short string as one word: its bytes, and its length in the last one. */
function shortText(text: string): Hex {
  return `${padHex(stringToHex(text), { dir: 'right', size: 31 })}${text.length.toString(16).padStart(2, '0')}`
}

/** First storage slot of the registry's entry of a name: entity, size and depth; the content hash is in the third. */
export function entrySlots(kind: number, name: string): { readonly entity: Hash; readonly content: Hash } {
  const byKind = keccak256(`0x${kind.toString(16).padStart(64, '0')}${'00'.repeat(32)}`)
  const slot = keccak256(`${keccak256(stringToHex(name))}${byKind.slice(2)}`)
  return { entity: slot, content: word(BigInt(slot) + 2n) }
}
