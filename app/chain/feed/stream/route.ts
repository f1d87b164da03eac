import { getFeedStream } from '#lib/server/operations/chain/feed-stream.ts'
import { serve } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getFeedStream)
