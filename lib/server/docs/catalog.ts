/** A page of the documentation, stored as markdown in the project. */
export interface DocPage {
  /** Part of the address after `/docs/`; empty for the first page. */
  readonly slug: string
  /** For lists and the window's title. The text has its own first heading. */
  readonly title: string
  /** One sentence, for search engines, lists and programs. */
  readonly description: string
  /** The markdown, from the project's root. */
  readonly source: string
}

/** A page that is more than text: listed beside the others, made elsewhere. */
export interface DocLink {
  readonly href: string
  readonly title: string
  readonly description: string
}

export interface DocSection {
  readonly title: string
  readonly entries: readonly (DocPage | DocLink)[]
}

/** All pages in reading order. */
export const DOC_SECTIONS: readonly DocSection[] = [
  {
    title: 'Begin',
    entries: [
      {
        slug: '',
        title: 'Documentation',
        description: 'What Weft is, and where to read on.',
        source: 'docs/site/index.md',
      },
      {
        slug: 'concepts',
        title: 'Concepts',
        description:
          'Transformations, connectors, particles, running instances, formats, Worlds: what each word means.',
        source: 'docs/site/concepts.md',
      },
      {
        slug: 'glossary',
        title: 'Glossary',
        description: 'Every word of Weft with its meaning, for musicians and for coders.',
        source: 'docs/glossary.md',
      },
      {
        href: '/docs/lessons',
        title: 'Lessons',
        description: 'Three short lessons that happen in the studio itself.',
      },
      {
        slug: 'assistant',
        title: 'The assistant in the studio',
        description:
          'From words to a piece, with a model and a key of your own: what it does and where the key is.',
        source: 'docs/site/assistant.md',
      },
    ],
  },
  {
    title: 'Tutorial',
    entries: [
      {
        slug: 'tutorial',
        title: 'Four routes to one melody',
        description:
          'One small connector from nothing to the chain: in the studio, with curl, in TypeScript, or by an agent.',
        source: 'docs/site/tutorial/index.md',
      },
      {
        slug: 'tutorial/studio',
        title: 'In the studio',
        description: 'Compose, hear and publish a melody in the browser, without a wallet of your own.',
        source: 'docs/site/tutorial/studio.md',
      },
      {
        slug: 'tutorial/curl',
        title: 'With curl',
        description: 'The whole loop from a shell: sign in, draft, simulate, publish, execute, check.',
        source: 'docs/site/tutorial/curl.md',
      },
      {
        slug: 'tutorial/typescript',
        title: 'In TypeScript',
        description: 'The whole loop as one program with fetch and viem.',
        source: 'docs/site/tutorial/typescript.md',
      },
      {
        slug: 'tutorial/agent',
        title: 'By an agent',
        description: 'What to tell an AI agent, what it can read here, and how to keep its key small.',
        source: 'docs/site/tutorial/agent.md',
      },
    ],
  },
  {
    title: 'Programs',
    entries: [
      {
        slug: 'using-the-apis',
        title: 'Using the APIs',
        description: 'Addresses, sign-in, numbers, errors, lists and the live feed, for programs.',
        source: 'docs/site/using-the-apis.md',
      },
      {
        slug: 'webhooks',
        title: 'Webhooks and filtered streams',
        description:
          'What is published, sent to your own server: signatures, order, retries, and two receivers.',
        source: 'docs/site/webhooks.md',
      },
      {
        slug: 'programs',
        title: 'Programs with an account',
        description: 'Webhooks, batches and publications that the site pays for, by a bearer token.',
        source: 'docs/site/programs.md',
      },
      {
        slug: 'keep-a-piece',
        title: 'Keep a piece',
        description:
          'A piece as one file that plays without any site: what is in it, what it proves, where to put it.',
        source: 'docs/site/keep-a-piece.md',
      },
      {
        slug: 'original-network',
        title: 'From the original network',
        description:
          'Its clients, Worlds and addresses here: what runs as it is, what a setting adds, and what differs.',
        source: 'docs/site/original-network.md',
      },
      {
        slug: 'embed',
        title: 'Embed a piece',
        description: 'A player and pictures for other sites, messages that steer it, and oEmbed.',
        source: 'docs/site/embed.md',
      },
      {
        slug: 'errors',
        title: 'Error codes',
        description: 'Every value of X-Error-Code: its cause, and what to do.',
        source: 'docs/errors.md',
      },
      {
        slug: 'client',
        title: 'The typed client',
        description:
          'A package for TypeScript and JavaScript, generated from the APIs: how to get it and use it.',
        source: 'lib/client/README.md',
      },
      {
        slug: 'python',
        title: 'A client in Python',
        description: 'One file of the standard library: simulate, read, sign in, and follow the feed.',
        source: 'examples/python/README.md',
      },
      {
        slug: 'agents',
        title: 'Tools for agents',
        description:
          'Connect an AI agent by the Model Context Protocol: what it can do, sign and read there.',
        source: 'docs/site/agents.md',
      },
      {
        href: '/docs/api',
        title: 'API reference',
        description: 'Every operation of the chain API and of the services API.',
      },
      {
        slug: 'protocol',
        title: 'The protocol',
        description:
          'The two contracts: how things are published, what running a connector means, and what it costs.',
        source: 'contracts/README.md',
      },
      {
        slug: 'authors-words',
        title: 'The author’s words',
        description:
          'Description, licence, source and origin of a publication: their format, and what is checked.',
        source: 'docs/site/authors-words.md',
      },
      {
        slug: 'engine',
        title: 'How simulations run',
        description: 'What makes a simulation fast and exact, and what code may read, opcode by opcode.',
        source: 'docs/engine.md',
      },
    ],
  },
  {
    title: 'Worlds',
    entries: [
      {
        slug: 'make-a-world',
        title: 'Make a World',
        description: 'From nothing to a published World in ten minutes, with the kit of this project.',
        source: 'docs/make-a-world.md',
      },
      {
        slug: 'world-sdk',
        title: 'The World SDK',
        description:
          'The two modules for Worlds and for pages that show them, and the messages between them.',
        source: 'docs/world-sdk.md',
      },
      {
        slug: 'certificate',
        title: 'Certificates of runs',
        description:
          'The file that proves a run for ever: what it proves, its format, and how it is checked.',
        source: 'docs/certificate.md',
      },
      {
        slug: 'worlds-security',
        title: 'What keeps a World from the network',
        description:
          'The walls around a stranger’s code, the ways out that were tried, and what is not claimed.',
        source: 'docs/worlds-security.md',
      },
    ],
  },
  {
    title: 'Operation',
    entries: [
      {
        slug: 'self-hosting',
        title: 'Self-hosting',
        description:
          'Run a Weft of your own: on your machine in a minute, or with your own database and chain.',
        source: 'docs/site/self-hosting.md',
      },
      {
        slug: 'self-hosting/node',
        title: 'On a machine of your own',
        description: 'Site and worker under systemd, with PostgreSQL and TLS, step by step.',
        source: 'docs/site/self-hosting/node.md',
      },
      {
        slug: 'self-hosting/containers',
        title: 'In containers',
        description: 'The image, and a compose file with a chain of its own or a real one.',
        source: 'docs/site/self-hosting/containers.md',
      },
      {
        slug: 'self-hosting/base',
        title: 'Base in 30 minutes',
        description: 'A Weft on a public chain, step by step: settings, contracts, costs, limits.',
        source: 'docs/site/self-hosting/base.md',
      },
      {
        slug: 'self-hosting/vercel',
        title: 'On Vercel',
        description: 'The site on Vercel, the worker elsewhere: what to set, and what is different there.',
        source: 'docs/site/self-hosting/vercel.md',
      },
      {
        slug: 'self-hosting/vercel-database',
        title: 'Vercel with a managed database',
        description: 'No machine at all: functions, a PostgreSQL behind a pooler, and a cron for the worker.',
        source: 'docs/site/self-hosting/vercel-database.md',
      },
      {
        slug: 'self-hosting/configuration',
        title: 'Configuration',
        description: 'Every variable of the environment, with its default and what it may be.',
        source: 'docs/site/self-hosting/configuration.md',
      },
      {
        slug: 'self-hosting/limits',
        title: 'Limits',
        description:
          'What one client may ask for, what one site works on at a time, and what it says to those beyond.',
        source: 'docs/site/self-hosting/limits.md',
      },
      {
        slug: 'self-hosting/security',
        title: 'Security',
        description: 'What is left for you to do, which headers pages have, and what no log holds.',
        source: 'docs/site/self-hosting/security.md',
      },
      {
        slug: 'self-hosting/watching',
        title: 'Watching it',
        description: 'What is wrong now, logs, metrics, dashboards and traces.',
        source: 'docs/site/self-hosting/watching.md',
      },
      {
        slug: 'self-hosting/upkeep',
        title: 'Upkeep',
        description: 'Backup, restore, updates, dashboards, alerts and moderation.',
        source: 'docs/site/self-hosting/upkeep.md',
      },
    ],
  },
]

export const DOC_PAGES: readonly DocPage[] = DOC_SECTIONS.flatMap(({ entries }) =>
  entries.filter((entry) => 'slug' in entry),
)

/** The page at `/docs/{slug}`; undefined when there is none. */
export function findDoc(slug: string): DocPage | undefined {
  return DOC_PAGES.find((page) => page.slug === slug)
}

/** Where an entry of the list is read. */
export function docHref(entry: DocPage | DocLink): string {
  if ('href' in entry) return entry.href
  return entry.slug === '' ? '/docs' : `/docs/${entry.slug}`
}

/** Where the same is read as markdown. */
export function markdownHref(page: DocPage): string {
  return `${docHref(page)}.md`
}
