import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

/** Prints one table at the end: browsers by suites. */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const browsers = modules.flatMap((module) => [...module.children.suites()])
    const suites = [...new Set(browsers.flatMap((each) => tests(each).map(({ name }) => name)))]
    const ran = suites.filter((name) => !name.startsWith('not found'))
    const rows = browsers.map((browser) => {
      const [first] = tests(browser)
      if (first?.name.startsWith('not found')) return [browser.name, first.name]
      const { version } = (first?.meta() ?? {}) as { version?: string }
      return [`${browser.name} ${version ?? ''}`, ...ran.map((name) => result(browser, name))]
    })
    console.log(`\n${table([['', ...ran], ...rows])}`)
  }
}

function tests(browser: TestSuite): TestCase[] {
  return [...browser.children.tests()]
}

function result(browser: TestSuite, name: string): string {
  const found = tests(browser).find((each) => each.name === name)
  const { figure } = (found?.meta() ?? {}) as { figure?: string }
  return [found?.result().state ?? 'not run', figure].filter(Boolean).join(': ')
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    // What was not found is longer than any column.
    Math.max(...rows.filter((row) => row.length > 2).map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .join('\n')
}
