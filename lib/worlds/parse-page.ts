import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5'
import { Failure } from '../domain/failure.ts'

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
