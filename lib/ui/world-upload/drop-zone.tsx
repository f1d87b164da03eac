'use client'

import { FileArchive, FolderOpen } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { FileField } from '#lib/ui/kit/field.tsx'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import type { Chosen } from './bundle/choose.ts'

/** Accepts a ZIP or a folder, dropped or picked. @param compact Text of the small variant. */
export function DropZone({
  compact,
  disabled,
  onDrop,
  onPick,
}: {
  compact?: string | undefined
  disabled: boolean
  onDrop: (data: DataTransfer) => void
  onPick: (files: readonly File[]) => void
}) {
  const [over, setOver] = useState(false)
  const zip = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A file dropped elsewhere would replace the page.
    const keep = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', keep)
    window.addEventListener('drop', keep)
    return () => {
      window.removeEventListener('dragover', keep)
      window.removeEventListener('drop', keep)
    }
  }, [])
  const take = (files: readonly File[]) => {
    if (files.length > 0) onPick(files)
  }
  const drag = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type !== 'dragleave' && !disabled)
  }
  return (
    <section
      aria-label="Choose a bundle"
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!disabled) onDrop(event.dataTransfer)
      }}
      className={`rounded-lg border-2 border-dashed text-center transition-colors ${compact ? 'px-4 py-4' : 'px-6 py-12 sm:py-16'} ${over ? 'border-accent bg-sunk' : 'border-edge'}`}
    >
      {compact ? null : (
        <p className="font-semibold text-xl">
          <span className="touch:hidden">Drop a ZIP or a folder here</span>
          <span className="hidden touch:inline">Choose a ZIP or a folder</span>
        </p>
      )}
      <div className={`flex flex-wrap items-center justify-center gap-2 ${compact ? '' : 'mt-5'}`}>
        {compact ? <p className="px-2 text-ink-soft text-sm touch:hidden">{compact}</p> : null}
        <Button disabled={disabled} onClick={() => folder.current?.click()}>
          <FolderOpen className="size-4" aria-hidden="true" />
          Choose a folder
        </Button>
        <Button disabled={disabled} onClick={() => zip.current?.click()}>
          <FileArchive className="size-4" aria-hidden="true" />
          Choose a ZIP
        </Button>
      </div>
      <FileField label="Folder" folder onFiles={take} ref={folder} />
      <FileField label="ZIP" onFiles={take} ref={zip} accept=".zip,application/zip" />
    </section>
  )
}

/** The current step of processing a bundle, with its progress. */
export type Work =
  | { readonly doing: 'reading' | 'checking' | 'opening' }
  | { readonly doing: 'packing' | 'sending'; readonly share: number }

const WORDS: Readonly<Record<Work['doing'], string>> = {
  reading: 'Reading the files…',
  packing: 'Packing them in this browser…',
  sending: 'Sending it…',
  checking: 'Checking every file…',
  opening: 'Opening it…',
}

export function WorkStatus({ work }: { work: Work }) {
  return (
    <div className="max-w-md">
      <p className="pb-1 text-sm">{WORDS[work.doing]}</p>
      <progress
        aria-label={WORDS[work.doing]}
        className="h-1.5 w-full accent-accent"
        max={1}
        {...('share' in work && { value: work.share })}
      />
    </div>
  )
}

const SHOWN = 200

/** The chosen and the excluded files. */
export function ChosenFiles({ chosen: { name, files, leftOut } }: { chosen: Chosen }) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return (
    <details className="border-line border-y">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">{name}</span>
        {files.length > 0 ? `: ${counted(files.length, 'file')}, ${formatBytes(bytes)}` : ''}
        {leftOut.length > 0 ? `, ${leftOut.length} left out` : ''}
      </summary>
      <ul
        aria-label="Files"
        className="max-h-72 overflow-y-auto pb-3 text-sm"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
      >
        {files.slice(0, SHOWN).map(({ path, size }) => (
          <li key={path} className="flex justify-between gap-4 py-0.5">
            <code className="min-w-0 [overflow-wrap:anywhere]">{path}</code>
            <span className="shrink-0 text-ink-soft">{formatBytes(size)}</span>
          </li>
        ))}
        {files.length > SHOWN ? <li>and {files.length - SHOWN} more</li> : null}
        {leftOut.slice(0, SHOWN).map((path) => (
          <li key={path} className="flex justify-between gap-4 py-0.5 text-ink-soft">
            <code className="min-w-0 line-through [overflow-wrap:anywhere]">{path}</code>
            <span className="shrink-0">stays here</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
