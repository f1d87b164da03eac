import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'

/** solc of the package in two parts, which threads share: unpacking and compiling its code takes a second of CPU. */
export interface SolcProgram {
  readonly code: WebAssembly.Module
  /** Script that makes an instance of `code`, without `code`. */
  readonly script: string
}

/** Interface of an instance, as `solc/wrapper.js` takes it. */
export type SolcInstance = object

const require = createRequire(import.meta.url)
const FILE = require.resolve('solc/soljson.js')
/** First line after the statement that unpacks the code. */
const SCRIPT_START = '\nvar Module = typeof Module != "undefined" ? Module : {};\n'

/** Reads the program from the package. */
export function readProgram(): SolcProgram {
  const text = readFileSync(FILE, 'utf8')
  const end = text.indexOf(SCRIPT_START)
  if (end === -1) throw new Error(`Unknown form of ${FILE}: no script after the code`)
  const unpack = compileFunction(`${text.slice(0, end)}\nreturn Module.wasmBinary`, [], { filename: FILE })
  return { code: new WebAssembly.Module(unpack() as Uint8Array<ArrayBuffer>), script: text.slice(end) }
}

/** Makes an instance with a memory of its own. */
export function instantiate({ code, script }: SolcProgram): SolcInstance {
  const instance = {
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(code, imports)
      receive(instance)
      return instance.exports
    },
  }
  const before = process.listeners('unhandledRejection')
  compileFunction(script, ['Module', 'require', '__filename', '__dirname'], { filename: FILE })(
    instance,
    require,
    FILE,
    '',
  )
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.includes(listener)) process.off('unhandledRejection', listener)
  }
  return instance
}
