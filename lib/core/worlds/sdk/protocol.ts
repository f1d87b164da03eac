/*
 * The messages between a World and its host page, by `postMessage`. Every message is an envelope with the id of the
 * World and the token of the mount, so that both ignore other senders.
 */

export const PROTOCOL_VERSION = 1

/** Names of the URL parameter that carries the token, newest last: Worlds of either age find theirs. */
export const TOKEN_PARAMETERS = ['dcnWorldChannel', 'worldChannel'] as const

/** URL parameter with the origin of the page, for Worlds in browsers that do not expose it. */
export const ORIGIN_PARAMETER = 'worldHostOrigin'

/** Spellings of the types of messages, by the name before `:world-`: that of the earlier releases first. */
export const DIALECTS = ['dcn', 'decentralised.art'] as const

/** The host and the World of one frame speak the same. */
export type Dialect = (typeof DIALECTS)[number]

/** Types of messages, as this code knows them; `spelled` is what is sent. */
export const MESSAGE = {
  ready: 'dcn:world-ready',
  state: 'dcn:world-state',
  rendered: 'dcn:world-rendered',
  error: 'dcn:world-error',
  request: 'dcn:world-rpc-request',
  response: 'dcn:world-rpc-response',
  capture: 'dcn:world-capture',
  captured: 'dcn:world-captured',
  transport: 'dcn:world-transport',
} as const

/** Returns the type of a message in a dialect. */
export function spelled(type: string, dialect: Dialect): string {
  return type.replace(`${DIALECTS[0]}:world-`, `${dialect}:world-`)
}

/** A still picture (PNG), or a short clip. */
export type CaptureKind = 'picture' | 'clip'

/** Kinds that a World announces, and that it is asked for: a clip is made of its frames, in the page. */
export const CAPTURE_REQUESTS = ['picture', 'frame'] as const

export type CaptureRequest = (typeof CAPTURE_REQUESTS)[number]

/** Containers of a clip. */
export type ClipType = 'mp4' | 'webm'

/** Length of a clip unless the page asks for another. */
export const CLIP_SECONDS = 5
export const MAX_CLIP_SECONDS = 30

/** Width and height of a picture, in its own pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Width and height that a page may ask for. */
export const MAX_PICTURE_SIDE = 4096

/** Longest side of a clip, in pixels. */
export const MAX_CLIP_SIDE = 1920

export interface CaptureOptions extends Partial<PictureSize> {
  /** Container of a clip; by default the first of `clipTypes()`. */
  readonly type?: ClipType
  /** Sound of a clip; by default it has none. */
  readonly sound?: MediaStreamTrack
  /** Called when the recording of a clip begins. */
  readonly onStart?: () => void
}

/** Takes a picture, or a clip of so many seconds. */
export type Capture = (kind: CaptureKind, seconds?: number, options?: CaptureOptions) => Promise<Blob>

/**
 * Why a page has no picture or clip. `unsupported`: the World does not offer it. `busy`: one at a time. `refused`: the
 * World answered that it cannot. `bad_answer`: it answered with something else.
 */
export type WorldCaptureErrorCode = 'unsupported' | 'busy' | 'refused' | 'bad_answer' | 'timeout' | 'disposed'

/** Why a call was not answered with a result. `timeout` and `disposed` arise in the World itself. */
export type WorldRpcErrorCode =
  | 'permission_denied'
  | 'unknown_method'
  | 'bad_request'
  | 'host_error'
  | 'timeout'
  | 'disposed'

export interface WorldRpcError {
  readonly code: WorldRpcErrorCode
  readonly message: string
  /** HTTP status of the chain API, with `host_error`. */
  readonly status?: number
}

/** State that a page pushes to a World; everything in it is optional for both sides. */
export interface WorldState {
  /** Comes back with `reportRendered`. */
  readonly requestId?: string
  /** An object from pages of this site; other pages may send any value. */
  readonly payload?: WorldStatePayload
  /** Entities the World can then read without asking. */
  readonly seed?: WorldSeed
}

/** Content that the World renders. Pages may add fields of their own. */
export interface WorldStatePayload {
  readonly protocolVersion?: number
  /** Id of the World at the site, not the one that it announces. */
  readonly worldId?: string
  /** Names of the World and the connector that are shown. */
  readonly label?: string
  readonly executeOutput?: readonly ParticleStream[]
  readonly connectorName?: string
  /** Absent for a draft, and where the page does not know it. */
  readonly connectorAddress?: string
  /** Without `0x`; absent where the page does not know it. */
  readonly connectorFormatHash?: string
  /** Names of the connectors that are selected, in the studio. */
  readonly selectedConnectorContextNames?: readonly string[]
  /** Beginnings of the paths that they generate: `/melody:*`. */
  readonly selectedConnectorContextPathPrefixes?: readonly string[]
  readonly particlesCount?: number
  readonly executionMode?: 'execute' | 'simulate'
  readonly executionProvenance?: {
    readonly block_number: number
    readonly block_hash: string
    readonly runner: string
    readonly registry: string
  }
  readonly surface?: 'world-page' | 'studio-plugin'
  readonly [field: string]: unknown
}

/** Where the page's sound is. Sent when it changes: at each step while it plays. */
export interface WorldTransport {
  readonly playing: boolean
  /** From 0. */
  readonly step: number
  readonly steps_a_minute: number
  /** From the beginning of the first step to the beginning of `step`. */
  readonly seconds: number
  readonly loop: boolean
  /** Sounding voices. Pages may leave it out of messages that do not change it; the SDK then fills it in. */
  readonly voices?: readonly WorldVoice[]
}

/** A path that sounds, with one entry for each step. */
export interface WorldVoice {
  readonly path: string
  readonly instrument: string
  /** MIDI notes, those of General MIDI's drums for percussion; -1 for a rest. */
  readonly pitches: readonly number[]
  /** MIDI velocities, 1 to 127. */
  readonly velocities: readonly number[]
  /** In steps. */
  readonly lengths: readonly number[]
}

/** By name. */
export interface WorldSeed {
  readonly connectors?: Readonly<Record<string, ConnectorInfo>>
  readonly transformations?: Readonly<Record<string, CodeInfo>>
  readonly conditions?: Readonly<Record<string, CodeInfo>>
}

/** Values along one path of a connector, one for each step. */
export interface ParticleStream {
  readonly path: string
  readonly data: readonly number[]
}

export interface RunningInstance {
  readonly start_point: number
  readonly transformation_shift: number
}

/** By position: canonical decimals of a uint32. */
export type DynamicRi = Readonly<Record<string, RunningInstance>>

export interface ConnectorInfo {
  readonly name: string
  readonly dimensions: readonly unknown[]
  readonly condition_name: string
  readonly condition_args: readonly number[]
  readonly static_ri: Readonly<Record<string, RunningInstance>>
  readonly owner: string
  /** `0x0` for a draft. */
  readonly address: string
  readonly format_hash: string
}

/** A transformation or a condition. */
export interface CodeInfo {
  readonly name: string
  readonly args_count: number
  readonly owner: string
  /** `0x0` for a draft. */
  readonly address: string
}

export interface FormatList {
  readonly limit: number
  readonly total_formats: number
  readonly cursor: { readonly has_more: boolean; readonly next_after: string | null }
  readonly formats: readonly string[]
}

export interface FormatInfo {
  readonly format_hash: string
  readonly limit: number
  readonly total_connectors: number
  readonly cursor: { readonly has_more: boolean; readonly next_after: string | null }
  /** `<name>:<tail id>`. */
  readonly scalars: readonly string[]
  readonly connectors: readonly string[]
}

export interface FeedPage {
  readonly limit: number
  readonly cursor: { readonly has_more: boolean; readonly next_before: string | null }
  readonly items: readonly FeedItem[]
}

export interface FeedItem {
  readonly feed_id: string
  readonly event_type: string
  readonly status: string
  readonly visible: boolean
  readonly history_cursor: string
  readonly payload: { readonly type: string; readonly name: string; readonly owner: string }
  readonly [field: string]: unknown
}

export interface ExecuteResult {
  readonly block_number: number
  readonly block_hash: string
  readonly runner: string
  readonly particles: readonly ParticleStream[]
}

export interface PageOptions {
  /** 1..100; 50 by default. */
  readonly limit?: number
  readonly after?: string
}

export interface FeedOptions {
  /** 1..100; 50 by default. */
  readonly limit?: number
  readonly before?: string
  readonly type?: string
  readonly includeUnfinalized?: boolean
}

/** Methods that a World may call, and that a page's client must have. */
export interface WorldCalls {
  /** Permission `dcn.connectors.read`, as for the other reads of connectors and formats. */
  connectorGet(name: string): Promise<ConnectorInfo>
  connectorExists(name: string): Promise<boolean>
  /** Permission `dcn.transformations.read`. */
  transformationGet(name: string): Promise<CodeInfo>
  transformationExists(name: string): Promise<boolean>
  /** Permission `dcn.conditions.read`. */
  conditionGet(name: string): Promise<CodeInfo>
  conditionExists(name: string): Promise<boolean>
  listFormats(options?: PageOptions): Promise<FormatList>
  formatInfo(hash: string, options?: PageOptions): Promise<FormatInfo>
  /** Permission `dcn.social.read`. */
  feed(options?: FeedOptions): Promise<FeedPage>
  /** Permission `dcn.execute`. Runs a published connector on chain. @param particlesCount 1..65536 */
  execute(
    connectorName: string,
    particlesCount: number | string,
    dynamicRi?: DynamicRi,
  ): Promise<ExecuteResult>
  /** Permission `dcn.execute`. Runs a draft or a published connector in the server's own EVM. @param particlesCount 1..65536 */
  simulate(
    connectorName: string,
    particlesCount: number | string,
    dynamicRi?: DynamicRi,
  ): Promise<readonly ParticleStream[]>
}
