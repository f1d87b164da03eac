import { readForPage } from '#lib/views/read.ts'
import { worldSourceFile } from '#lib/views/world-source.ts'

/**
 * One file of a World by `?path=`, as its author edits it. Never anything but bytes to read: no type that a browser
 * runs or draws, nothing for other origins, so that no World can load a script here that lacks the prelude.
 */
const HEADERS = {
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

export async function GET(request: Request, { params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params
  const path = new URL(request.url).searchParams.get('path') ?? ''
  const reading = await readForPage('a file of a World', (ctx) => worldSourceFile(ctx, slug, path))
  if (!reading.ok) return new Response('The network cannot be read right now.\n', { status: 503 })
  if (reading.value === undefined) return new Response('There is no such file.\n', { status: 404 })
  return new Response(reading.value, { headers: HEADERS })
}

export const dynamic = 'force-dynamic'
