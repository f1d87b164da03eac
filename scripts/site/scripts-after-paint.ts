import type { ServerResponse } from 'node:http'
import { THEME_SWITCH } from '../../lib/ui/theme-script.ts'

/**
 * A script of the framework as it stands in a page. What it is called reaches nobody but the loader below, and it needs
 * no nonce any more: what the loader loads is trusted because the loader is.
 */
const SCRIPT =
  /<\/head>|<script src="(\/_next\/static\/[^"<>]+)"((?: (?:id|nonce)="[^"<>]*")*) async=""((?: (?:id|nonce)="[^"<>]*")*)><\/script>/g

const ID = / id="([^"]*)"/

/** Has to be in hand whole to be found; longer ones pass as they are. */
const LONGEST_SCRIPT = 400

/**
 * What fetches and runs the scripts: two frames after the first paint, which is when that is on the screen; at once in a
 * tab in the background, which paints nothing; after a second whatever happens. A click on a button that only they can
 * serve is kept until React has marked the button as its own, or for three seconds, and then done again. That ends ten
 * seconds after the visit began, and spares what another program serves, marked `data-foreign`.
 *
 * Which scripts stands in an attribute, so that the text is the same in every page: the pages' policy knows it. It loads
 * the framework's only: whoever puts markup into a page can write such an attribute, or name an element `currentScript`.
 */
export const LOADER = `(function(all){var done,again;
function served(b){for(var key in b)if(key.indexOf('__reactProps')===0)return true}
addEventListener('click',function(e){var b=e.target instanceof Element&&e.target.closest('button[type=button]:not([${THEME_SWITCH}])');
if(!b||b===again||performance.now()>1e4||served(b)||b.closest('[data-foreign]'))return;e.stopImmediatePropagation();var turns=0;
var wait=setInterval(function(){if(b.isConnected&&!served(b)&&turns++<150)return;clearInterval(wait);again=b;b.click();again=0},20)},true);
function run(){if(done)return;done=1;all.forEach(function(each){var s=document.createElement('script');s.async=true;if(each[1])s.id=each[1];s.src=each[0];s.src.indexOf(location.origin+'/_next/static/')||document.head.append(s)})}
function soon(){requestAnimationFrame(function(){requestAnimationFrame(run)})}
if(document.hidden)run();else{try{new PerformanceObserver(function(l){if(l.getEntriesByName('first-contentful-paint').length)soon()}).observe({type:'paint',buffered:true})}catch(e){run()}setTimeout(run,1000)}})(JSON.parse(document.currentScript.dataset.scripts))`

/**
 * Lets the pages written to a response be painted before they fetch and run the framework's scripts, which would share
 * the line with style and letters and, being `async`, run before the first paint where they come early.
 *
 * @param response Before anything is written to it. What is not HTML passes untouched.
 */
export function runScriptsAfterPaint(response: ServerResponse): void {
  const { write, end, writeHead } = response
  let rewriter: PageRewriter | undefined
  let seen = false

  const look = () => {
    if (seen) return
    seen = true
    if (!String(response.getHeader('content-type')).startsWith('text/html')) return
    rewriter = new PageRewriter()
    if (!response.headersSent) response.removeHeader('content-length')
  }
  response.writeHead = ((status: number, headers?: Record<string, string>) => {
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
    look()
    return Reflect.apply(writeHead, response, [status])
  }) as typeof writeHead
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    look()
    return Reflect.apply(write, response, [rewriter ? rewriter.next(chunk) : chunk, ...rest])
  }) as typeof write
  response.end = ((chunk?: unknown, ...rest: unknown[]) => {
    look()
    if (rewriter === undefined || typeof chunk === 'function') {
      if (rewriter) Reflect.apply(write, response, [rewriter.last()])
      return Reflect.apply(end, response, [chunk, ...rest])
    }
    const whole = Buffer.concat([rewriter.next(chunk ?? ''), rewriter.last()])
    return Reflect.apply(end, response, [whole, ...rest])
  }) as typeof end
}

/** Takes a page in pieces, wherever it is cut, and gives it back with its first scripts put off. */
export class PageRewriter {
  private rest = ''
  private inHead = true
  private loaded = false
  private readonly scripts: [src: string, id: string][] = []

  /** What can be given on. */
  next(chunk: unknown): Buffer {
    // Bytes as characters: what the pattern looks for is ASCII, and a cut character stays what it is.
    const text = this.rest + toBytes(chunk).toString('latin1')
    const cut = this.loaded ? text.length : lastWholeTag(text)
    this.rest = text.slice(cut)
    return this.rewrite(text.slice(0, cut))
  }

  /** What is left at the end. */
  last(): Buffer {
    const text = this.rest
    this.rest = ''
    return this.rewrite(text)
  }

  private rewrite(text: string): Buffer {
    if (this.loaded) return Buffer.from(text, 'latin1')
    const put = text.replace(SCRIPT, (whole, src: string | undefined, before: string, after: string) => {
      if (src === undefined) this.inHead = false
      // What streams in after the scripts began is part of a page that is painted already.
      if (src === undefined || this.loaded) return whole
      this.scripts.push([src, ID.exec(before + after)?.[1] ?? ''])
      if (this.inHead) return ''
      // The first one of the body ends the shell and begins the program.
      this.loaded = true
      return `<script data-scripts="${attributeText(JSON.stringify(this.scripts))}">${LOADER}</script>`
    })
    return Buffer.from(put, 'latin1')
  }
}

/** Up to where a text holds no script or tag that may still go on. */
function lastWholeTag(text: string): number {
  const script = text.lastIndexOf('<script')
  const tag = text.lastIndexOf('<')
  let cut = text.length
  if (script >= 0 && !text.includes('</script>', script)) cut = script
  else if (tag >= 0 && !text.includes('>', tag)) cut = tag
  return text.length - cut > LONGEST_SCRIPT ? text.length : cut
}

/** What is taken from attributes is escaped already, but for what JSON adds. */
function attributeText(json: string): string {
  return json.replaceAll('"', '&quot;')
}

function toBytes(chunk: unknown): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk as Uint8Array)
}
