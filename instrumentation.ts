/**
 * Next calls this once in each process, before it serves: on a platform and under `next start` there is no program of
 * ours that could do so.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { scrubOutput } = await import('#lib/platform/log/scrub.ts')
  const { SECRETS } = await import('#lib/features/config.ts')
  scrubOutput(SECRETS)
  const { followConnections } = await import('#lib/server/http/connection.ts')
  followConnections()
}
