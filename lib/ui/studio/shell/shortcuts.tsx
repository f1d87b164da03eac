'use client'

import { shortcutText } from '#lib/browser/shortcut.ts'
import { PLACES, type Place, rowsIn } from '#lib/studio/actions.ts'
import { useMac } from '#lib/ui/kit/shortcut.ts'

/** Every shortcut on one page. */
export function Shortcuts() {
  const mac = useMac()
  return (Object.keys(PLACES) as Place[]).map((place) => (
    <div key={place} className="mt-4">
      <h3 className="border-line border-b pb-1 font-semibold text-sm">{PLACES[place]}</h3>
      <dl>
        {rowsIn(place).map(({ id, label, does = label, keys: [shortcut = ''] = [] }) => (
          <div key={id} className="flex items-baseline gap-4 py-1 text-sm">
            <dt className="w-28 shrink-0">
              <kbd className="mono text-xs">{shortcutText(shortcut, mac)}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  ))
}
