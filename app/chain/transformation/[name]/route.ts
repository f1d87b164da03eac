import { getTransformation, headTransformation } from '#lib/server/operations/chain/entities.ts'
import { serve } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getTransformation, headTransformation)
