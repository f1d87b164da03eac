import { getWorldAsset, headWorldAsset } from '#lib/server/operations/services/world-assets.ts'
import { serve } from '../../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getWorldAsset, headWorldAsset)
