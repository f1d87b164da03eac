'use client'

import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import type { CodeKind } from '#lib/studio/document/types.ts'
import { Button, Row } from '#lib/ui/kit/button.tsx'
import { SNIPPETS, type Snippet, type SnippetExample } from './snippets.ts'

/** A library of bodies to begin with, behind one button; the keyboard opens, walks and closes it. */
export function SnippetPicker({
  kind,
  replaces,
  onPick,
}: {
  kind: CodeKind
  /** Whether there is a text that a pick takes the place of. */
  replaces: boolean
  onPick: (snippet: Snippet) => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger render={<Button className="ml-auto" />}>Snippets</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="z-dialog" sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup
            initialFocus={false}
            className="max-h-[min(28rem,70vh)] w-[min(34rem,calc(100vw-2rem))] overflow-y-auto rounded-md border border-edge bg-raised p-2 shadow-lg outline-none"
          >
            <p className="px-2 py-1 text-ink-soft text-xs">
              {replaces ? 'Takes the place of what is written; undo brings it back.' : 'Each can be changed.'}
            </p>
            <ul className="grid">
              {SNIPPETS.filter((snippet) => snippet.kind === kind).map((snippet) => (
                <li key={snippet.title}>
                  <Row
                    onClick={() => {
                      setOpen(false)
                      onPick(snippet)
                    }}
                    className="flex-col items-start gap-0.5 py-2"
                  >
                    <span className="font-medium text-sm">{snippet.title}</span>
                    <span className="text-ink-soft text-xs">{snippet.about}</span>
                    <span className="mono text-xs">{exampleOf(snippet)}</span>
                  </Row>
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function exampleOf({ takes = [], examples: [example] }: Snippet): string {
  return example === undefined
    ? takes.map((name, index) => `args[${index}] ${name}`).join(', ')
    : exampleText(example)
}

function exampleText({ x, args, result }: SnippetExample): string {
  const inputs = [
    x === undefined ? undefined : `x ${x}`,
    args.length > 0 ? `args ${args.join(', ')}` : undefined,
  ]
  const left = inputs.filter((part) => part !== undefined).join('; ')
  const right =
    typeof result === 'number' ? result : typeof result === 'boolean' ? (result ? 'yes' : 'no') : 'stops'
  return `${left === '' ? 'nothing' : left} → ${right}`
}
