'use client'

import { FileArchive, FolderOpen, LayoutTemplate } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#lib/ui/kit/button.tsx'
import { FileField } from '#lib/ui/kit/field.tsx'

/**
 * Accepts a ZIP or a folder, dropped or picked.
 *
 * @param compact Text of the small variant.
 * @param onTemplate Begins with the template; absent where a World is there to begin with.
 */
export function DropZone({
  compact,
  disabled,
  onDrop,
  onPick,
  onTemplate,
}: {
  compact?: string | undefined
  disabled: boolean
  onDrop: (data: DataTransfer) => void
  onPick: (files: readonly File[]) => void
  onTemplate?: (() => void) | undefined
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
        {onTemplate ? (
          <Button disabled={disabled} onClick={onTemplate}>
            <LayoutTemplate className="size-4" aria-hidden="true" />
            Begin with the template
          </Button>
        ) : null}
      </div>
      <FileField label="Folder" folder onFiles={take} ref={folder} />
      <FileField label="ZIP" onFiles={take} ref={zip} accept=".zip,application/zip" />
    </section>
  )
}
