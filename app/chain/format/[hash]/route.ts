import { getFormatInfo } from '#lib/server/operations/chain/lists.ts'
import { serve } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getFormatInfo)
