import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5'
import { Failure } from '#lib/protocol/failure.ts'

const MAX_TAGS = 100_000
/** Markup that closes what it should not makes parsers copy elements: a few kilobytes can become millions. */
const MAX_ELEMENTS = 200_000
/** As deep as browsers nest. */
const MAX_DEPTH = 512

/**
 * Parses a page as browsers do, with the positions of the source, in time and memory bounded by its length.
 *
 * @throws {Failure} `invalid_request` when the page has too many tags or nests too deep.
 */
export function parsePage(html: string, path: string): DefaultTreeAdapterTypes.Document {
  let elements = 0
  const tooLarge = (what: string) => new Failure('invalid_request', `${path} ${what}`)

  class BoundedParser extends Parser<DefaultTreeAdapterMap> {
    private tags = 0

    override onStartTag(token: Parameters<Parser<DefaultTreeAdapterMap>['onStartTag']>[0]): void {
      this.countTag()
      super.onStartTag(token)
    }

    override onEndTag(token: Parameters<Parser<DefaultTreeAdapterMap>['onEndTag']>[0]): void {
      this.countTag()
      super.onEndTag(token)
    }

    override onItemPush(...item: Parameters<Parser<DefaultTreeAdapterMap>['onItemPush']>): void {
      super.onItemPush(...item)
      if (this.openElements.stackTop > MAX_DEPTH) throw tooLarge(`nests deeper than ${MAX_DEPTH} elements`)
    }

    private countTag(): void {
      this.tags += 1
      if (this.tags > MAX_TAGS) throw tooLarge(`has more than ${MAX_TAGS} tags`)
    }
  }

  const parser = new BoundedParser({
    sourceCodeLocationInfo: true,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (...element) => {
        elements += 1
        if (elements > MAX_ELEMENTS) throw tooLarge(`becomes more than ${MAX_ELEMENTS} elements`)
        return defaultTreeAdapter.createElement(...element)
      },
    },
  })
  parser.tokenizer.write(html, true)
  return parser.document
}

/** Essences that browsers run as classic scripts, after the HTML and MIME Sniffing standards. */
const JAVASCRIPT_TYPES: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
])

/** Whether a script element of this `type` and `language` runs, as a classic script or as a module. */
export function isJavaScriptType(type: string | undefined, language: string | undefined): boolean {
  if (type === '') return true
  if (type === undefined) return !language || JAVASCRIPT_TYPES.has(`text/${language}`.toLowerCase())
  const essence = type.trim().toLowerCase()
  return essence === 'module' || JAVASCRIPT_TYPES.has(essence)
}
