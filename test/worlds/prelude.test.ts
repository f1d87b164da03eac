import { describe, expect, test } from 'vitest'
import { preludeFor } from '../../lib/worlds/prelude.ts'

function strict(text: string) {
  return preludeFor(text).startsWith("'use strict';")
}

describe('preludeFor', () => {
  test('is one line that opens no name', () => {
    expect(preludeFor('')).not.toMatch(/[\n\r]/)
    expect(preludeFor('')).toMatch(/^\{.*\}$/)
  })

  test.each([
    `'use strict'`,
    `"use strict";f()`,
    `  // it's a comment\n/* "two" */ 'use strict'\nf()`,
    `'use asm'; "use strict"; f()`,
    `'use strict'// end`,
    `\ufeff'use strict'`,
    `#!/usr/bin/env node\n'use strict'`,
    `'use strict'}`,
  ])('repeats the directive of %j', (text) => {
    expect(strict(text)).toBe(true)
  })

  test.each([
    ``,
    `f('use strict')`,
    `// 'use strict'`,
    `/* 'use strict'; */ f()`,
    `'use strict' + f()`,
    `'use strict'\n.length`.replace('\n', ''),
    `"use\\x20strict"; f()`,
    `let a; 'use strict'`,
    `'not' ['use strict']`,
    `/* never closed 'use strict'`,
  ])('adds no directive to %j', (text) => {
    expect(strict(text)).toBe(false)
  })

  test('a hashbang becomes a comment', () => {
    expect(`${preludeFor('#!/bin/x\nf()')}#!/bin/x\nf()`).toMatch(/\}\/\/#!\/bin\/x\nf\(\)$/)
  })

  test('long beginnings take linear time', () => {
    for (const text of ['/*'.repeat(8192), "'".repeat(16_384), ' '.repeat(16_384), "'a';".repeat(4096)]) {
      expect(strict(text)).toBe(false)
    }
  })
})
