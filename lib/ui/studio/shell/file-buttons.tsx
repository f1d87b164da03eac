'use client'

import { useRef } from 'react'
import { BarButton } from '../common/bar-button.tsx'
import { useStudio } from '../common/context.tsx'
import { saveFile } from '../common/transfer.ts'
import { MAX_FILE_LENGTH, readFile, writeFile } from '../document/file.ts'
import { newId } from '../document/types.ts'
import { useWorkspaces } from '../workspaces/use-workspaces.ts'

/** Downloads a text as a JSON file. */
export function download(text: string, name: string): void {
  saveFile(new Blob([text], { type: 'application/json' }), name)
}

/** The whole work out to one file and back. Opening a file is one step of undo. */
export function FileButtons() {
  const { store, announce } = useStudio()
  const { items, current } = useWorkspaces().state
  const input = useRef<HTMLInputElement>(null)
  const open = async (file: File) => {
    const read =
      file.size > MAX_FILE_LENGTH * 4
        ? ({ ok: false, problems: ['The file is larger than 16 MiB.'] } as const)
        : readFile(await file.text(), newId)
    if (!read.ok) {
      announce(`${file.name} cannot be opened. ${read.problems.join(' ')}`)
      return
    }
    store.edit('Open file', () => read.document)
    store.setView(() => read.view)
    announce(`Opened ${file.name}. Undo brings back what was here.`)
  }
  return (
    <>
      <BarButton
        onClick={() => {
          const { document, view } = store.getState()
          download(writeFile({ document, view }), fileName(items.find(({ id }) => id === current)?.name))
        }}
      >
        Export
      </BarButton>
      <BarButton onClick={() => input.current?.click()}>Import</BarButton>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="File to import"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // Choosing the same file again is a change, too.
          event.currentTarget.value = ''
          if (file) void open(file)
        }}
      />
    </>
  )
}

/** Of letters that every system takes. */
function fileName(name = ''): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return `${safe.slice(0, 60) || 'work'}.weft.json`
}
