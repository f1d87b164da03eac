'use client'

import { FilePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { FileField, TextField } from '#lib/ui/kit/field.tsx'
import type { BundleEditor } from './editor.ts'
import { type Content, contentOf, newPathProblem, type WorldFiles } from './files.ts'

/** Adds files, typed or from disk; replaces, renames and removes the open one. */
export function FileTools({
  editor,
  files: { files },
  open,
}: {
  editor: BundleEditor
  files: WorldFiles
  open: string | undefined
}) {
  const picker = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  /** @param from The file that is renamed; undefined for a new one. */
  const put = (from: string | undefined) => {
    const path = name.trim()
    const refusal = newPathProblem({ files }, path)
    setProblem(refusal)
    if (refusal !== undefined) return
    const content = (from !== undefined && files.get(from)) || ''
    const changes = new Map<string, Content | undefined>([[path, content]])
    if (from !== undefined) changes.set(from, undefined)
    editor.change(changes, path)
    setName('')
  }
  const addPicked = async (picked: readonly File[]) => {
    const refused = picked.flatMap(({ name: path }) => newPathProblem({ files: new Map() }, path) ?? [])
    const acceptedFiles = picked.filter(
      ({ name: path }) =>
        newPathProblem({ files: new Map() }, path) === undefined &&
        (!files.has(path) || confirm(`Replace ${path}?`)),
    )
    setProblem(refused.join(' ') || undefined)
    try {
      const read = await Promise.all(
        acceptedFiles.map(async (file) => [file.name, await contentOf(file)] as const),
      )
      if (read[0]) editor.change(new Map(read), read[0][0])
    } catch {
      setProblem('The browser could not read the files. Choose them again.')
    }
  }
  return (
    <div className="pb-3">
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          put(undefined)
        }}
      >
        <TextField
          look="small"
          code
          aria-label="Name of a file"
          placeholder="notes.js"
          value={name}
          maxLength={255}
          onText={setName}
          className="w-40"
        />
        <Button type="submit">
          <FilePlus className="size-4" aria-hidden="true" />
          New file
        </Button>
        {open === undefined || open === MANIFEST_PATH ? null : (
          <Button disabled={name.trim() === ''} onClick={() => put(open)}>
            Rename <span className="mono max-w-32 truncate">{open}</span>
          </Button>
        )}
        <Button onClick={() => picker.current?.click()}>Add files from disk</Button>
        {open === undefined || open === MANIFEST_PATH ? null : (
          <Button
            onClick={() => {
              if (confirm(`Remove ${open}?`)) editor.change(new Map([[open, undefined]]))
            }}
          >
            <Trash2 className="size-4" aria-hidden="true" />
            Remove <span className="mono max-w-32 truncate">{open}</span>
          </Button>
        )}
        <FileField
          label="Files from disk"
          onFiles={(picked) => void addPicked(picked)}
          ref={picker}
          multiple
        />
      </form>
      {problem === undefined ? null : (
        <p role="alert" className="pt-2 text-madder text-sm [overflow-wrap:anywhere]">
          {problem}
        </p>
      )}
    </div>
  )
}
