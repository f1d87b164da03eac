import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Identity } from '#lib/core/context/context.ts'

/* The account of a connection, carried from the endpoint, which proves it, to the calls of tools. */

export function authInfoOf(identity: Identity): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { identity } }
}

export function identityOf(info: AuthInfo | undefined): Identity | undefined {
  return info?.extra?.identity as Identity | undefined
}
