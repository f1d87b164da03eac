import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5'
import { Failure } from '#lib/protocol/failure.ts'

const MAX_TAGS = 100_000
/** Markup that closes what it should not makes parsers copy elements: a few kilobytes can become millions. */
const MAX_ELEMENTS = 200_000
/** As deep as browsers nest. */
const MAX_DEPTH = 512
const MAX_ATTRIBUTES = 1_000
/** Attributes of all elements, copies included: a few tags with many attributes can be copied thousands of times. */
const MAX_ALL_ATTRIBUTES = 200_000
/** Words and spaces in a row directly in a table, which the parser holds apart. */
const MAX_TABLE_WORDS = 20_000
/** Characters parsed between two checks of the tag that is being read. */
const CHUNK = 16 * 1024

/**
 * Parses a page as browsers do, with the positions of the source, in time and memory bounded by its length.
 *
 * @throws {Failure} `invalid_request` when the page has too many tags or attributes, or nests too deep.
 */
export function parsePage(html: string, path: string): DefaultTreeAdapterTypes.Document {
  let elements = 0
  let attributes = 0
  const tooLarge = (what: string) => new Failure('invalid_request', `${path} ${what}`)

  const requireFewAttributes = ({ length }: { readonly length: number }) => {
    if (length > MAX_ATTRIBUTES) throw tooLarge(`has a tag with more than ${MAX_ATTRIBUTES} attributes`)
  }
  const countAttributes = (count: number) => {
    attributes += count
    if (attributes > MAX_ALL_ATTRIBUTES) throw tooLarge(`becomes more than ${MAX_ALL_ATTRIBUTES} attributes`)
  }

  class BoundedParser extends Parser<DefaultTreeAdapterMap> {
    private tags = 0

    /** Parses the whole page, in pieces, so that a tag is refused before all its attributes are read. */
    parseAll(): DefaultTreeAdapterTypes.Document {
      for (let at = 0; at < html.length || at === 0; at += CHUNK) {
        this.tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length)
        const token = this.tokenizer['currentToken']
        if (token !== null && 'attrs' in token) requireFewAttributes(token.attrs)
      }
      return this.document
    }

    override onStartTag(token: Parameters<Parser<DefaultTreeAdapterMap>['onStartTag']>[0]): void {
      this.countTag()
      requireFewAttributes(token.attrs)
      super.onStartTag(token)
    }

    override onEndTag(token: Parameters<Parser<DefaultTreeAdapterMap>['onEndTag']>[0]): void {
      this.countTag()
      super.onEndTag(token)
    }

    override onCharacter(token: Parameters<Parser<DefaultTreeAdapterMap>['onCharacter']>[0]): void {
      super.onCharacter(token)
      if (this.pendingCharacterTokens.length > MAX_TABLE_WORDS) {
        throw tooLarge('has too much text in a table, outside its cells')
      }
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
      createElement: (name, namespace, attrs) => {
        elements += 1
        if (elements > MAX_ELEMENTS) throw tooLarge(`becomes more than ${MAX_ELEMENTS} elements`)
        countAttributes(attrs.length)
        return defaultTreeAdapter.createElement(name, namespace, attrs)
      },
      adoptAttributes: (recipient, attrs) => {
        countAttributes(recipient.attrs.length + attrs.length)
        defaultTreeAdapter.adoptAttributes(recipient, attrs)
      },
    },
  })
  return parser.parseAll()
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
