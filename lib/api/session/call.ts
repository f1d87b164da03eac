import type { Context } from '../../context.ts'
import type { SiteCookie, SiteSession } from '../../identity/site-session.ts'

/** A request of one of our own pages, with the cookie it came with. */
export interface Call {
  readonly ctx: Context
  readonly request: Request
  /** Saving or destroying it writes the response's header. */
  readonly cookie: SiteCookie
  /** Undefined for visitors, and for a cookie whose session has ended. */
  readonly session: SiteSession | undefined
}

export interface SessionReply {
  readonly status: number
  /** Written as JSON. */
  readonly body?: unknown
}

export type SessionAction = (call: Call) => Promise<SessionReply>
