/**
 * Fails on production dependencies under a licence that is neither permissive nor listed below, by the lock file, which
 * has the packages of all platforms: `npm run licences`.
 */
import { z } from 'zod'
import { readJson } from './stack/files.ts'

/** Use, change and pass on, as long as the text of the licence stays with it. */
const PERMISSIVE = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Zlib'],
  ...['Unlicense', 'CC0-1.0', 'BlueOak-1.0.0'],
]

/** Licences of other packages, by the start of their names. */
const EXCEPTIONS: readonly (readonly [prefix: string, licence: string])[] = [
  // The exact EVM. Its files are used as they are; changed ones would have to be published.
  ['@ethereumjs/', 'MPL-2.0'],
  // Comes with Next for image optimisation, which is off; a library of its own, linked at run time.
  ['@img/sharp-', 'LGPL-3.0-or-later'],
  // The licence of fonts, which lets them be served with anything.
  ['@fontsource', 'OFL-1.1'],
  // A table of browsers that builds read; nothing of it is served.
  ['caniuse-lite', 'CC-BY-4.0'],
  // Parts of patch-package, which runs at installation; the second has the text of the MIT licence, but no field.
  ['jsonify', 'Public Domain'],
  ['memorystream', 'none'],
]

const { packages } = z
  .object({
    packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), license: z.string().optional() })),
  })
  .parse(readJson('package-lock.json'))

for (const [path, { dev, license = 'none' }] of Object.entries(packages)) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (path === '' || dev === true || isAllowed(name, license)) continue
  console.log(`${name} is under ${license}`)
  process.exitCode = 1
}

/** Whether an SPDX expression, as npm packages write them, can be met by allowed licences alone. */
function isAllowed(name: string, expression: string): boolean {
  const allowed = [
    ...PERMISSIVE,
    ...EXCEPTIONS.filter(([start]) => name.startsWith(start)).map(([, is]) => is),
  ]
  const ways = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return ways.some((way) => way.split(' AND ').every((each) => allowed.includes(each)))
}
