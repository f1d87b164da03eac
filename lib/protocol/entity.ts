/** The three kinds of named things. Kinds are separate namespaces; names are case-sensitive. */
export type EntityKind = 'connector' | 'transformation' | 'condition'

export const ENTITY_KINDS = [
  'connector',
  'transformation',
  'condition',
] as const satisfies readonly EntityKind[]

/** Numeric value of a kind in the contracts (`Registry.sol`, enum order) and in content hashes. */
export const KIND_CODE = {
  connector: 0,
  transformation: 1,
  condition: 2,
} as const satisfies Record<EntityKind, number>

/** `0x` and lower-case hex digits. */
export type Hex = `0x${string}`

/** 20 bytes, `0x` and 40 lower-case digits: the one spelling used inside the code. */
export type Address = Hex

/** 32 bytes, `0x` and 64 lower-case digits: the one spelling used inside the code. */
export type Hash = Hex

/** Why nothing on chain proves what the registry announced under a name. */
export type UnverifiedReason = 'missing_code' | 'content_mismatch' | 'unverified_dependency'
