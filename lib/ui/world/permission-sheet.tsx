import { Check, X } from 'lucide-react'
import { NEVER, permissionsInWords } from './permissions-in-words.ts'

/** What a World may do and what it never may, in words. */
export function PermissionSheet({ permissions }: { permissions: readonly string[] }) {
  const granted = permissionsInWords(permissions)
  return (
    <div className="space-y-4 text-sm">
      <div>
        <p className="pb-1 font-medium">It may</p>
        <ul className="space-y-1.5">
          <Line allowed words="Draw what you give it" />
          {granted.map(({ name, words }) => (
            <Line key={name} allowed words={words} name={name} />
          ))}
        </ul>
      </div>
      <div>
        <p className="pb-1 font-medium">It cannot</p>
        <ul className="space-y-1.5">
          {NEVER.map((words) => (
            <Line key={words} words={words} />
          ))}
        </ul>
      </div>
    </div>
  )
}

function Line({ words, name, allowed = false }: { words: string; name?: string; allowed?: boolean }) {
  const Sign = allowed ? Check : X
  return (
    <li className="flex gap-2">
      <Sign
        className={`mt-1 size-3.5 shrink-0 ${allowed ? 'text-verdigris' : 'text-edge'}`}
        aria-hidden="true"
      />
      <span className="min-w-0">
        {words}
        {name ? <code className="block text-ink-soft text-xs [overflow-wrap:anywhere]">{name}</code> : null}
      </span>
    </li>
  )
}
