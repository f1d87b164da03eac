import { expect, test } from 'vitest'
import { builtModule } from '../../lib/world-sdk/built-module.ts'
import { bundleWorldSdk } from '../../scripts/world-sdk/bundle.ts'

test('the served modules are those of the sources; else run `npm run world-sdk:build`', async () => {
  const bundles = await bundleWorldSdk()
  expect([...bundles.keys()]).toEqual(['world-runtime.js', 'world-host.js'])
  for (const [name, text] of bundles) {
    expect((await builtModule(name))?.text).toBe(text)
    expect(text).not.toMatch(/^import\b/m)
  }
})

test.each(['world-client.js', '__proto__', 'constructor', '../runtime.ts', ''])(
  'there is no module %j',
  async (name) => {
    expect(await builtModule(name)).toBeUndefined()
  },
)
