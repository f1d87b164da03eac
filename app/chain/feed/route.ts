import { getFeed } from '#lib/server/operations/chain/feed.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getFeed)
