/* The whole studio on a page of its own, as `app/studio/page.tsx` shows it. */

import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { StudioFrame } from '#lib/ui/studio/shell/frame.tsx'
import { OwnStudio } from '#lib/ui/studio/shell/studio.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  // biome-ignore lint/correctness/noChildrenProp: this file has no JSX, so that Node can read it
  h(StudioFrame, { children: h(OwnStudio) }),
)
