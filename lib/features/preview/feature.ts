import type { Feature } from '../feature.ts'
import { postCompile, postExplain, postPreview, postTry } from './operations.ts'

export const preview: Feature = {
  name: 'preview',
  operations: [postPreview, postExplain, postCompile, postTry],
}
