import { globSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'

const documented = {
  chain: [...chainOperations.map(({ path }) => path), '/openapi.json'],
  services: [...servicesOperations.map(({ path }) => path), '/openapi.json'],
}

describe.each(['chain', 'services'] as const)('route files of %s', (api) => {
  const files = globSync(`app/${api}/**/route.ts`).filter((file) => !file.includes('[['))

  test('are one for each documented path', () => {
    expect(files.map(pathOf).toSorted()).toEqual([...new Set(documented[api])].toSorted())
  })

  test('state the path of their folder', () => {
    for (const file of files) {
      expect(readFileSync(file, 'utf8'), file).toContain(`${api}Route('${pathOf(file)}')`)
    }
  })

  /** `app/chain/connector/[name]/route.ts` is `/connector/{name}`. */
  function pathOf(file: string): string {
    return `/${relative(`app/${api}`, dirname(file))}`.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')
  }
})
