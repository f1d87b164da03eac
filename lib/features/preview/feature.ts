import type { Feature } from '../feature.ts'
import { explainValue, postCompile, postExplain, postPreview, postTry } from './operations.ts'

export const preview: Feature = {
  name: 'preview',
  operations: [postPreview, postExplain, postCompile, postTry, explainValue],
}
