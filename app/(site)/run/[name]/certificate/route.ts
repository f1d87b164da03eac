import { certifyRun } from '#lib/features/proofs/index.ts'
import { readRunAddress } from '#lib/views/page-exists.ts'
import { FILE, siteRead } from '#lib/views/site-read.ts'

/** The certificate of a run, also for the pages of other sites: nothing in it depends on the reader. */
export const { GET } = siteRead(
  { ...FILE, path: '/run/{name}/certificate', contentType: 'application/json', anyOrigin: true },
  (ctx, { params, search }) => certifyRun(ctx, readRunAddress(params.name, search)),
)
