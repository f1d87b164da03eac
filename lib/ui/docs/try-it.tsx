'use client'

import { type FormEvent, useId, useState } from 'react'
import { Command } from '#lib/ui/components/command.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { TextArea, TextField } from '#lib/ui/kit/field.tsx'
import { type Parameter, requestPath } from './api-document.ts'

/** Streams are read for this time. */
const STREAM_MS = 3000
const MAX_CHARACTERS = 50_000

interface Props {
  method: string
  path: string
  parameters: readonly (Omit<Parameter, 'schema'> & { readonly example: string })[]
  /** The kind of token that it requires. */
  token: string | undefined
  /** Example of a JSON body. */
  json: string | undefined
  /** Field of an upload. */
  file: string | undefined
}

interface Result {
  readonly status: string
  readonly headers?: string
  readonly body?: string
}

/** Tokens by kind: one serves all operations of its API until the page is left. */
const tokens = new Map<string, string>()

/** Sends an operation's request from the browser and shows the response. */
export function TryIt({ method, path, parameters, token, json, file }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [isSending, setSending] = useState(false)
  const [result, setResult] = useState<Result>()
  // Browsers set these headers themselves.
  const settable = parameters.filter(
    ({ in: place, name }) => place !== 'header' || !/^(origin$|sec-)/.test(name),
  )

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const values = Object.fromEntries(settable.map(({ name }) => [name, String(data.get(name))]))
    const headers = new Headers()
    for (const { in: place, name } of settable) {
      if (place === 'header' && values[name]) headers.set(name, values[name])
    }
    if (token !== undefined) {
      tokens.set(token, String(data.get(':token')))
      headers.set('Authorization', `Bearer ${tokens.get(token)}`)
    }
    let body: BodyInit | null = null
    if (json !== undefined) {
      headers.set('Content-Type', 'application/json')
      body = String(data.get(':body'))
    } else if (file !== undefined) {
      body = new FormData()
      body.set(file, data.get(':file') as File)
    }
    setSending(true)
    setResult(undefined)
    try {
      const url = requestPath(path, parameters, values)
      setResult(await read(await fetch(url, { method, headers, body, credentials: 'omit' })))
    } catch (error) {
      setResult({ status: `No response: ${(error as Error).message}` })
    }
    setSending(false)
  }

  if (!isOpen) {
    return (
      <Button className="scripted" aria-label={`Try it: ${method} ${path}`} onClick={() => setOpen(true)}>
        Try it
      </Button>
    )
  }
  return (
    <form onSubmit={submit} aria-label={`Try it: ${method} ${path}`} className="space-y-3">
      {settable.map(({ name, in: place, required = false, example }) => (
        <Input
          key={name}
          label={`${name} (${place})`}
          name={name}
          required={required}
          placeholder={example}
          defaultValue={required ? example : ''}
        />
      ))}
      {token === undefined ? null : (
        <Input label="Token" name=":token" required autoComplete="off" defaultValue={tokens.get(token)} />
      )}
      {json === undefined ? null : <Input label="Body" name=":body" rows={6} defaultValue={json} />}
      {file === undefined ? null : <Input label={file} name=":file" type="file" required />}
      <Button type="submit" disabled={isSending} autoFocus>
        {isSending ? 'Sending' : 'Send request'}
      </Button>
      <p role="status" className="mono text-sm">
        {result?.status}
      </p>
      {result?.headers ? <Command what="headers">{result.headers}</Command> : null}
      {result?.body ? <Command what="response">{result.body}</Command> : null}
    </form>
  )
}

function Input({ label, rows, ...rest }: React.ComponentProps<'input'> & { label: string; rows?: number }) {
  const id = useId()
  const className = 'mt-1 w-full text-xs'
  const { name, defaultValue } = rest
  return (
    <div>
      <label htmlFor={id} className="text-ink-soft text-xs">
        {label}
      </label>
      {rows === undefined ? (
        <TextField id={id} code look="small" {...rest} className={className} />
      ) : (
        <TextArea id={id} code rows={rows} name={name} defaultValue={defaultValue} className={className} />
      )}
    </div>
  )
}

async function read(response: Response): Promise<Result> {
  const type = response.headers.get('content-type') ?? ''
  const status = `${response.status} ${response.statusText}`
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  if (!/^text\/|json|javascript/.test(type)) {
    const { size } = await response.blob()
    return { status, headers, body: size === 0 ? '' : `${size} bytes of ${type}` }
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const timer = type.startsWith('text/event-stream')
    ? setTimeout(() => reader?.cancel(), STREAM_MS)
    : undefined
  let body = ''
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    body += piece.value
    if (body.length > MAX_CHARACTERS) await reader?.cancel()
  }
  clearTimeout(timer)
  if (body.length > MAX_CHARACTERS) body = `${body.slice(0, MAX_CHARACTERS)}\n…`
  else if (type.includes('json')) body = JSON.stringify(JSON.parse(body), null, 2)
  return { status, headers, body }
}
