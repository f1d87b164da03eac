import type { RunToCertify } from '../../../engine/proof/collect.ts'
import { escapeHtml } from '../../../protocol/embed.ts'

/** What the page knows of its run; `href` is that of the run's own page. */
export interface PageOfRun
  extends Pick<RunToCertify, 'registry' | 'runner' | 'connector' | 'count' | 'starts'> {
  readonly site: string
  readonly href: string
  readonly ranAt: Exclude<RunToCertify['ranAt'], undefined> | null
  /** A node that the site lets browsers reach. */
  readonly node: string | undefined
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.125rem; margin-bottom: 0; }
textarea { box-sizing: border-box; width: 100%; font: .9rem/1.5 ui-monospace, monospace; padding: .5rem; }
label { font-weight: 600; } button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; margin: .75rem 0; }
small { display: block; }
`

/** The page as HTML. @param nonce Of its policy. */
export function ownNodesPage(run: PageOfRun, script: string, nonce: string): string {
  const name = escapeHtml(run.connector)
  const data = JSON.stringify(run).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Prove ${name} by nodes of your choice · Weft</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body><main>
<p><a href="${escapeHtml(run.site + run.href)}">Back to the run</a></p>
<h1>Prove a run of ${name} by nodes of your choice</h1>
<p>The numbers are computed again here, from code that is proven to be registered. Only the block’s header is the word of others:
the more nodes of different operators give the same, the better. If two disagree, you see which, and about what.</p>
<p><label for="nodes">Addresses of nodes, one a line</label>
<textarea id="nodes" rows="4" spellcheck="false" autocomplete="off" placeholder="https://…">${escapeHtml(run.node ?? '')}</textarea>
<small>They must answer web pages (CORS) and give Merkle proofs (<code>eth_getProof</code>).</small></p>
<button id="prove" type="button">Prove</button>
<div id="result" role="status"></div>
<p><small>This page is kept apart from the site: it has no session, no cookies and no storage, and may reach any https address and your
own machine, nothing else. The nodes see your address on the network and which run you prove.</small></p>
</main>
<script id="run" type="application/json" nonce="${nonce}">${data}</script>
<script nonce="${nonce}">${script.replaceAll('</script', '<\\/script')}</script>
</body></html>
`
}
