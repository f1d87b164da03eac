'use client'

import { FilePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#lib/ui/kit/button.tsx'
import { FileField, TextField } from '#lib/ui/kit/field.tsx'
import { MANIFEST_PATH } from '#lib/ui/world-upload/bundle/choose.ts'
import { newPathProblem, type Remix, remixFile } from './remix.ts'

/**
 * Adds files to a remix, typed or from disk, and removes the open one.
 *
 * @param onChange Called with contents by path; undefined removes a file.
 */
export function RemixFiles({
  remix,
  open,
  onChange,
  onOpen,
}: {
  remix: Remix
  open: string | undefined
  onChange: (changes: ReadonlyMap<string, string | Blob | undefined>) => void
  onOpen: (path: string) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const addEmpty = () => {
    const path = name.trim()
    const found = newPathProblem(remix, path)
    setProblem(found)
    if (found !== undefined) return
    onChange(new Map([[path, '']]))
    onOpen(path)
    setName('')
  }
  const addPicked = async (picked: readonly File[]) => {
    const fresh = picked.filter((file) => newPathProblem(remix, file.name) === undefined)
    const refused = picked.flatMap((file) => newPathProblem(remix, file.name) ?? [])
    setProblem(refused.join(' ') || undefined)
    try {
      const read = await Promise.all(fresh.map(async (file) => [file.name, await remixFile(file)] as const))
      if (read[0] === undefined) return
      onChange(new Map(read))
      onOpen(read[0][0])
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
          addEmpty()
        }}
      >
        <TextField
          look="small"
          code
          aria-label="Name of the new file"
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
        <Button onClick={() => picker.current?.click()}>Add files from disk</Button>
        {open === undefined || open === MANIFEST_PATH ? null : (
          <Button
            onClick={() => {
              if (confirm(`Remove ${open} from your remix?`)) onChange(new Map([[open, undefined]]))
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
