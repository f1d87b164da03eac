import { getChainDocument } from '#lib/server/operations/chain/index.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getChainDocument)
