import { useSession } from '#lib/ui/wallet/session/use-session.ts'

/** The role in which the session may change a World: owner or administrator; undefined without one. */
export function useManager(
  owner: string,
): { readonly address: string; readonly isOwner: boolean } | undefined {
  const state = useSession()
  if (state.status !== 'signed_in') return undefined
  const { address, roles } = state.session
  const isOwner = address === owner.toLowerCase()
  return isOwner || roles.includes('admin') ? { address, isOwner } : undefined
}
