import { getFollowers } from '#lib/server/operations/services/follows.ts'
import { serve } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getFollowers)
