import { seeNotices } from '#lib/core/people/notices.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'

export const postSeenNotices = studioOperation({
  limit: 'write',
  id: 'POST_seenNotices',
  path: '/notices/seen',
  summary: 'Mark the notices of the signed-in account as seen',
  description: 'All that exist now.',
  handler: (ctx) => seeNotices(ctx),
})
