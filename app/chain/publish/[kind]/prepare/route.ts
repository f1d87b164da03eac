import { postPublishPrepare } from '#lib/server/operations/chain/publish.ts'
import { serve } from '../../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(postPublishPrepare)
