/** The runtime of Worlds, as the site serves it. Imported by a relative path: `../../js/sdk/world-runtime.js`. */
declare module '*/js/sdk/world-runtime.js' {
  export interface WorldSdkOptions {
    /** Any id; the page adopts it. */
    readonly worldId: string
    /** 15000 unless said; 0 or less waits for ever. */
    readonly requestTimeoutMs?: number
  }

  /** The World's side of everything it does with the page around it. Create it once. */
  export function createWorldSdk(options: WorldSdkOptions): WorldSdk

  export interface WorldSdk extends WorldCalls {
    readonly worldId: string
    /** Announces that this World listens. Subscribe to state first. */
    ready(): void
    reportError(message: string): void
    /** Says that a state is on the screen. @param requestId That of the state. */
    reportRendered(requestId?: string): void
    /** @returns a function that unsubscribes. */
    onState(callback: (state: WorldState) => void): () => void
    /** Stops listening; calls under way and later ones reject. */
    dispose(): void
  }

  export class WorldRpcCallError extends Error {
    readonly code:
      | 'permission_denied'
      | 'unknown_method'
      | 'bad_request'
      | 'host_error'
      | 'timeout'
      | 'disposed'
    /** HTTP status of the chain API, with `host_error`. */
    readonly status: number | undefined
  }

  export interface WorldState {
    /** Comes back with `reportRendered`. */
    readonly requestId?: string
    readonly payload?: WorldStatePayload
  }

  /** Everything in it is optional; pages may add fields of their own. */
  export interface WorldStatePayload {
    readonly executeOutput?: readonly ParticleStream[]
    readonly connectorName?: string
    readonly particlesCount?: number
    readonly executionMode?: 'execute' | 'simulate'
    readonly executionProvenance?: {
      readonly block_number: number
      readonly block_hash: string
      readonly runner: string
    }
    readonly surface?: 'world-page' | 'studio-plugin'
    readonly [field: string]: unknown
  }

  /** Values along one path of a connector, one for each step. */
  export interface ParticleStream {
    readonly path: string
    readonly data: readonly number[]
  }

  /** What a World may ask, each within a permission of its manifest. */
  export interface WorldCalls {
    /** `dcn.connectors.read` for these four. */
    connectorGet(name: string): Promise<ConnectorInfo>
    connectorExists(name: string): Promise<boolean>
    listFormats(options?: PageOptions): Promise<FormatList>
    formatInfo(hash: string, options?: PageOptions): Promise<FormatInfo>
    /** `dcn.transformations.read` */
    transformationGet(name: string): Promise<CodeInfo>
    transformationExists(name: string): Promise<boolean>
    /** `dcn.conditions.read` */
    conditionGet(name: string): Promise<CodeInfo>
    conditionExists(name: string): Promise<boolean>
    /** `dcn.social.read` */
    feed(options?: FeedOptions): Promise<FeedPage>
    /** `dcn.execute`: runs a published connector on chain. @param particlesCount 1..65536 */
    execute(name: string, particlesCount: number | string, dynamicRi?: DynamicRi): Promise<ExecuteResult>
    /** `dcn.execute`: runs a draft or a published connector in the server's own EVM. */
    simulate(
      name: string,
      particlesCount: number | string,
      dynamicRi?: DynamicRi,
    ): Promise<readonly ParticleStream[]>
  }

  /** By position: canonical decimals of a uint32. At most 100. */
  export type DynamicRi = Readonly<Record<string, RunningInstance>>

  export interface RunningInstance {
    readonly start_point: number
    readonly transformation_shift: number
  }

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

  export interface PageOptions {
    /** 1..100; 50 unless said. */
    readonly limit?: number
    readonly after?: string
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
    /** Labels `<connector>:<dimension>`. */
    readonly scalars: readonly string[]
    readonly connectors: readonly string[]
  }

  export interface FeedOptions {
    /** 1..100; 50 unless said. */
    readonly limit?: number
    readonly before?: string
    readonly type?: string
    readonly includeUnfinalized?: boolean
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
}
