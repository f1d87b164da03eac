import { describeVariables, type VariableRule } from '../../lib/platform/config.ts'

/** Variables without which `npm run site` and `npm run worker` refuse to start. */
const NEEDED = ['DATABASE_URL', 'CHAIN_TOKEN_KEY', 'SESSION_KEY']

/** Variables that were explained together. */
interface Group {
  readonly text: string
  readonly names: readonly string[]
}

interface Section {
  readonly title: string
  readonly groups: readonly Group[]
}

const HEAD = `# Configuration

Every variable that the site, the worker and the scripts read, with what stands in for it and what it may be. A bad value
stops the start with its name and the fix, all of them at once; an empty value counts as none. Put them into the environment,
or into \`.env\` in the project's folder.

With \`npm start\` nothing has to be set. \`npm run site\` and \`npm run worker\` need
${list(NEEDED.map(code))}, which have no stand-in. \`npm run config:reference\` writes this page,
from the checks themselves and from \`.env.example\`.
`

/**
 * The page about configuration, as markdown.
 *
 * @param example The text of `.env.example`.
 * @throws Error when it lacks a variable that is checked.
 */
export function renderReference(example: string): string {
  const rules = new Map(describeVariables().map((rule) => [rule.name, rule]))
  const sections = readExample(example).map(({ title, groups }) => {
    const rows = groups.flatMap(({ names, text }) =>
      names.map((name, index) => {
        const rule = rules.get(name)
        rules.delete(name)
        if (rule === undefined) throw new Error(`${name} is in .env.example, but nothing checks it`)
        return row(rule, index === 0 ? text : `With \`${names[0]}\`.`)
      }),
    )
    return `## ${title}\n\n| variable | meaning | standard | must be |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  if (rules.size > 0) throw new Error(`.env.example lacks ${list([...rules.keys()])}`)
  return [HEAD, ...sections].join('\n')
}

function row({ name, standard, rule }: VariableRule, text: string): string {
  const cells = [
    code(name),
    text,
    NEEDED.includes(name)
      ? 'none: needed'
      : standard === undefined
        ? 'none'
        : code(standard.replaceAll(',', ', ')),
    rule === undefined ? 'any text' : rule.replace(/^must be /, ''),
  ]
  return `| ${cells.map((cell) => plainUrls(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

/** Sections, and in them comments with the variables that follow each. */
function readExample(example: string): Section[] {
  const sections: { title: string; groups: { text: string; names: string[] }[] }[] = []
  let comment: string[] = []
  for (const line of example.split('\n')) {
    const title = /^# --- (.+?) -+$/.exec(line)?.[1]
    const name = /^#? ?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1]
    const section = sections.at(-1)
    if (title !== undefined) sections.push({ title, groups: [] })
    else if (section === undefined) continue
    else if (name !== undefined && comment.length > 0)
      section.groups.push({ text: comment.join(' '), names: [name] })
    else if (name !== undefined) section.groups.at(-1)?.names.push(name)
    else if (line.startsWith('# ')) {
      comment.push(line.slice(2))
      continue
    }
    comment = []
  }
  return sections
}

/** Addresses that are examples lead nowhere. */
function plainUrls(text: string): string {
  return text.replace(/(?<!`)\b(?:https?|wss?|postgres):\/\/\S+?(?=[,.]?(?:\s|$))/g, '`$&`')
}

function code(text: string): string {
  return `\`${text}\``
}

function list(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')}${items.length > 1 ? ' and ' : ''}${items.at(-1)}`
}
