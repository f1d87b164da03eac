import type { McpServer } from '@modelcontextprotocol/server'
import { escapeMarkup } from '#lib/protocol/markup.ts'
import { VIEW_SCRIPT } from './built/view-script.ts'
import { TOOLS } from './tools.ts'

/* Views of results for hosts that show them: MCP Apps, SEP-1865. */

const MIME_TYPE = 'text/html;profile=mcp-app'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 var(--font-sans, system-ui, sans-serif);
  --ink: var(--color-text-primary, light-dark(#1d1b18, #f1eee8));
  --dim: var(--color-text-secondary, light-dark(#5f5a52, #b3ada2));
  --edge: var(--color-border-primary, light-dark(#d9d4ca, #47423a));
  --ground: var(--color-background-primary, light-dark(#fff, #1b1916)) }
body { margin: 0; color: var(--ink); background: var(--ground) }
main { padding: 16px; display: grid; gap: 12px; justify-items: start }
h1 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere }
p, ul { margin: 0; overflow-wrap: anywhere } ul { padding-left: 1.2em }
figure { margin: 0; width: 100% } svg { display: block; width: 100%; height: 96px; border: 1px solid var(--edge); border-radius: 6px }
svg { overflow: visible; box-sizing: border-box }
path { fill: none; stroke: currentColor; stroke-width: 1.5; vector-effect: non-scaling-stroke }
.line-0 { color: var(--ink) } .line-1 { color: light-dark(#b4420f, #ff9a62) } .line-2 { color: light-dark(#0f6a8f, #6cc6ea) } .line-3 { color: light-dark(#5b7d12, #b5d867) }
figcaption { display: flex; flex-wrap: wrap; gap: 0 16px; font-size: .85rem; color: var(--dim); overflow-wrap: anywhere }
figcaption :last-child { margin-left: auto }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--edge); border-radius: 6px; padding: 6px 12px; cursor: pointer }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }`

/** The address of a tool's view. */
export function viewUri(tool: string): string {
  return `ui://weft/${tool}.html`
}

/** Registers the views of all tools that have one. They load nothing: hosts need to allow no origin. */
export function registerViews(server: McpServer, siteOrigin: string): void {
  const html = viewHtml(siteOrigin)
  for (const { name, operation } of TOOLS.filter(({ shows }) => shows === true)) {
    const uri = viewUri(name)
    const description = `Shows the result of ${name} to the user`
    const _meta = { ui: { csp: {}, prefersBorder: true } }
    server.registerResource(
      name,
      uri,
      { title: operation.summary, description, mimeType: MIME_TYPE, _meta },
      () => ({ contents: [{ uri, mimeType: MIME_TYPE, text: html, _meta }] }),
    )
  }
}

function viewHtml(siteOrigin: string): string {
  const site = escapeMarkup(siteOrigin)
  // In a script element only `</script` would end it.
  const script = VIEW_SCRIPT.replaceAll('</', '<\\/')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Weft</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body data-site="${site}"><script type="module">${script}</script></body></html>`
}
