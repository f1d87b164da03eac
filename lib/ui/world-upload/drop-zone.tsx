'use client'

import { FileArchive, FolderOpen } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'

/** Takes a ZIP or a folder, dropped or picked. @param compact What a small one says, instead of filling the page. */
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
    // Missed, a file would take the place of the page.
    const keep = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', keep)
    window.addEventListener('drop', keep)
    return () => {
      window.removeEventListener('dragover', keep)
      window.removeEventListener('drop', keep)
    }
  }, [])
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    // The same again is a choice, too: somebody mended it.
    input.value = ''
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
          <span className="pointer-coarse:hidden">Drop a ZIP or a folder here</span>
          <span className="hidden pointer-coarse:inline">Choose a ZIP or a folder</span>
        </p>
      )}
      <div className={`flex flex-wrap items-center justify-center gap-2 ${compact ? '' : 'mt-5'}`}>
        {compact ? <p className="px-2 text-ink-soft text-sm pointer-coarse:hidden">{compact}</p> : null}
        <Button disabled={disabled} onClick={() => folder.current?.click()}>
          <FolderOpen className="size-4" aria-hidden="true" />
          Choose a folder
        </Button>
        <Button disabled={disabled} onClick={() => zip.current?.click()}>
          <FileArchive className="size-4" aria-hidden="true" />
          Choose a ZIP
        </Button>
      </div>
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder"
        // @ts-expect-error: every browser knows it, no standard does
        webkitdirectory=""
        multiple
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={zip}
        type="file"
        hidden
        aria-label="ZIP"
        accept=".zip,application/zip"
        onChange={(event) => take(event.currentTarget)}
      />
    </section>
  )
}
