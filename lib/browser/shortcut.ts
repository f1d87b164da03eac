/** The fields of a keyboard event that a shortcut is matched against. */
export interface Stroke {
  readonly key: string
  /** Place of the key, whatever the layout has there. */
  readonly code?: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/** Neither a letter of the Latin alphabet nor anything that every keyboard has. */
const FOREIGN = /^[^\p{ASCII}\p{Script=Latin}]{1,2}$/u

const SIGN = /^[^\p{L}\p{N}]$/u

/**
 * The key that a stroke means: its character, in the spelling of ASCII. Layouts without Latin letters have them by place,
 * as do the characters that Option makes of letters on a Mac.
 */
export function keyOf({ key, code = '', shiftKey }: Pick<Stroke, 'key' | 'code' | 'shiftKey'>): string {
  if (key === '؟') return '?'
  if (key === ' ') return 'Space'
  const character = key.normalize('NFKC')
  if (!/^Key[A-Z]$/.test(code) || !(key === 'Dead' || FOREIGN.test(character))) return character
  const letter = code.charAt(3)
  return shiftKey ? letter : letter.toLowerCase()
}

/**
 * Whether a key stroke is a shortcut such as `Mod+Shift+Z`, `Alt+ArrowUp`, `A` or `Delete`. `Mod` is Command on a Mac,
 * where Control edits text, and Control elsewhere; backspace counts as delete, as some keyboards have only that.
 */
export function matchesShortcut(stroke: Stroke, shortcut: string, mac = isMac()): boolean {
  const parts = shortcut.split('+')
  const key = shortcut.endsWith('+') ? '+' : (parts.at(-1) ?? '')
  const pressed = stroke.key === 'Backspace' ? 'Delete' : keyOf(stroke)
  const mod = parts.includes('Mod')
  return (
    pressed.toLowerCase() === key.toLowerCase() &&
    stroke.altKey === parts.includes('Alt') &&
    // Signs need shift on some keyboards.
    (stroke.shiftKey === parts.includes('Shift') || SIGN.test(key)) &&
    stroke.ctrlKey === (mod && !mac) &&
    stroke.metaKey === (mod && mac)
  )
}

const KEY_SYMBOLS = new Map([
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['Delete', 'Del'],
  ['Escape', 'Esc'],
])

/** A shortcut as displayed: `Ctrl Shift Z`, `⌘ Z`. */
export function shortcutText(shortcut: string, mac: boolean): string {
  return shortcut
    .split('+')
    .map((part) => {
      if (part === 'Mod') return mac ? '⌘' : 'Ctrl'
      if (part === 'Alt') return mac ? '⌥' : 'Alt'
      if (part === 'Shift') return mac ? '⇧' : 'Shift'
      return KEY_SYMBOLS.get(part) ?? part
    })
    .join(' ')
}

/** True on Apple's keyboards. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(`${navigator.platform} ${navigator.userAgent}`)
}
