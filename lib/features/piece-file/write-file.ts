import { createHash } from 'node:crypto'
import { FRAME_SCRIPT, PLAYER_SCRIPT, PLAYER_STYLE } from './built/player.ts'
import type { PieceData, WorldData } from './data.ts'

/**
 * The policy of a file: nothing is fetched from anywhere. A World's frame has the same policy, and a narrower one of its own.
 * The engine compiles code that it translates from the chain's; the synthesiser is loaded as data.
 */
const POLICY = [
  "default-src 'none'",
  `script-src '${digest(PLAYER_SCRIPT)}' '${digest(FRAME_SCRIPT)}' blob: data: 'unsafe-eval'`,
  'worker-src blob:',
  "style-src 'unsafe-inline' blob:",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data: blob:',
  'connect-src data: blob:',
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "webrtc 'block'",
].join('; ')

/**
 * Headers of a file on a site: also where a browser shows it, it has no origin and no network.
 *
 * @param id Its content id.
 */
export function fileHeaders(name: string, id: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.html"`,
    'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'; sandbox allow-scripts`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    ETag: `"${id}"`,
  }
}

/** Writes a file. Everything that strangers wrote is JSON in blocks that no browser runs, never markup. */
export function writePieceFile(piece: PieceData, world: WorldData | undefined): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="Weft">
<title>A piece</title>
<style>${PLAYER_STYLE}</style>
</head>
<body>
<noscript>This file plays a piece and needs JavaScript for it. Its data are below, as JSON.</noscript>
<script type="application/json" id="weft-piece">${json(piece)}</script>
<script type="application/json" id="weft-world">${json(world ?? null)}</script>
<script type="text/plain" id="weft-frame">${FRAME_SCRIPT}</script>
<script>${PLAYER_SCRIPT}</script>
</body>
</html>
`
}

/** JSON that no markup can end: `<` is nowhere in it. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

function digest(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`
}
