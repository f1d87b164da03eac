import { call, type Piece, table } from '../entity.ts'

const STEPS = [call('add', 1)]

/** Pieces for the ear. Each in three sentences: what it is, whose idea, what to turn first. */
export const musicPieces: readonly Piece[] = [
  {
    title: 'Two clocks',
    name: 'two_clocks',
    description:
      'Two players repeat twelve notes, and one of them takes a step longer, so that the tune slides along itself until both meet again. The idea is Steve Reich’s, who phased two tape loops in 1965 and then two pianos. Turn the second clock first: at 12 they never part, at 16 they race.',
    lines: [
      { calls: [call('cycle', 1, 12)], into: 'phase_pattern' },
      { calls: [call('cycle', 1, 13)], into: 'phase_pattern' },
      table([108, 64, 84, 70, 96, 66, 88, 62, 100, 72, 80, 60], 'velocity'),
    ],
    present: {
      particles: 156,
      tempo: 480,
      loop: true,
      world: 'piano',
      knobs: [
        { name: 'first clock', at: 'call/0/0/1', min: 8, max: 16 },
        { name: 'second clock', at: 'call/1/0/1', min: 8, max: 16 },
      ],
      sound: {
        root: 2,
        scale: 'minor',
        paths: [
          { path: '0/0/0', instrument: 'keys', mapping: 'notes', pan: -55, room: 30 },
          { path: '1/0/0', instrument: 'keys', mapping: 'notes', pan: 55, room: 30 },
        ],
      },
    },
  },
  {
    title: 'Small bells',
    name: 'small_bells',
    description:
      'A melody goes one step further in each phrase, and below each of its notes stands one of the triad, so that it is always at home. Arvo Pärt calls this tintinnabuli and has written little else since 1976. Turn the longest phrase first.',
    lines: [
      { calls: [call('one_step_further', 7)], into: 'bell_pair' },
      { calls: [call('add', 2), call('add', 1)], into: 'onset' },
      table([98, 70, 84, 64, 92, 74], 'velocity'),
    ],
    consonant: true,
    present: {
      particles: 108,
      tempo: 168,
      loop: true,
      world: 'bells',
      knobs: [
        { name: 'longest phrase', at: 'call/0/0/0', min: 2, max: 12 },
        { name: 'long note', at: 'call/1/0/0', min: 1, max: 6 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0/0/0', instrument: 'bell', mapping: 'notes', pan: 20, room: 60 },
          { path: '0/1/0/0', instrument: 'keys', mapping: 'notes', pan: -20, room: 55, level: 80 },
        ],
      },
    },
  },
  {
    title: 'Eight bells, plain hunt',
    name: 'plain_hunt_on_eight',
    description:
      'Eight bells of a tower, and from row to row neighbours change places, until each bell has been everywhere and the row is as it was. English ringers have rung such changes by heart since about 1600, and mathematicians found their groups in them much later. Turn the number of bells first.',
    lines: [
      { calls: [call('plain_hunt', 8)], into: 'ring_of_eight' },
      // A rest after every second row, as ringers leave it.
      { calls: [...Array.from({ length: 15 }, () => call('add', 1)), call('add', 2)], into: 'onset' },
      table([104, 80, 88, 78, 92, 76, 84, 72], 'velocity'),
    ],
    consonant: true,
    present: {
      particles: 136,
      tempo: 288,
      loop: true,
      world: 'bells',
      knobs: [
        { name: 'bells', at: 'call/0/0/0', min: 3, max: 8 },
        { name: 'breath', at: 'call/1/15/0', min: 1, max: 6 },
      ],
      sound: {
        root: 2,
        scale: 'major',
        paths: [{ path: '0/0/0', instrument: 'bell', mapping: 'notes', room: 60 }],
      },
    },
  },
  {
    title: 'Seven strokes in twelve',
    name: 'seven_in_twelve',
    description:
      'The bell of West Africa, seven strokes spread over twelve pulses as evenly as whole numbers let them, with five claps against it and a thumb piano on the same strokes. Godfried Toussaint noticed in 2005 that Euclid’s algorithm makes nearly all the rhythms that people dance to. Turn the strokes first.',
    lines: [
      { calls: [call('euclid_beat', 7, 12)] },
      { calls: [call('euclid_beat', 5, 12)] },
      { calls: [call('euclid_beat', 2, 12)] },
      { calls: [call('cycle', 3, 8), call('cycle', 2, 8), call('cycle', 4, 8)], into: 'five_notes' },
      { calls: [call('spread_onsets', 7, 12)], into: 'onset' },
      table([100, 74, 88, 70, 94, 66, 82], 'velocity'),
    ],
    consonant: true,
    present: {
      particles: 96,
      tempo: 420,
      loop: true,
      world: 'drum-machine',
      knobs: [
        { name: 'strokes', at: 'call/0/0/0', min: 2, max: 11 },
        { name: 'claps', at: 'call/1/0/0', min: 1, max: 11 },
        { name: 'thumb piano', at: 'call/4/0/0', min: 2, max: 12 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        steps_per_beat: 3,
        paths: [
          { path: '0', instrument: 'hat', hits: 'upper_half', pan: 30 },
          { path: '1', instrument: 'clap', hits: 'upper_half', level: 60, pan: -30 },
          { path: '2', instrument: 'kick', hits: 'upper_half' },
          { path: '3/0/0', instrument: 'pluck', mapping: 'notes', room: 30 },
        ],
      },
    },
  },
  {
    title: 'Talea and color',
    name: 'talea_and_color',
    description:
      'Eight lengths go round over seven pitches, so the tune needs seven rounds before it begins again, and a tenor does the same at half the pace. Philippe de Vitry and Guillaume de Machaut built motets this way around 1320. Turn the first length first.',
    lines: [
      { calls: STEPS, into: 'color_of_seven' },
      { calls: [4, 2, 2, 3, 1, 2, 1, 1].map((length) => call('add', length)), into: 'onset' },
      table([104, 74, 84, 94, 66, 82, 70, 76], 'velocity'),
      { calls: STEPS, into: 'tenor' },
    ],
    consonant: true,
    present: {
      particles: 112,
      tempo: 300,
      loop: true,
      world: 'score',
      knobs: [
        { name: 'first length', at: 'call/1/0/0', min: 1, max: 8 },
        { name: 'fourth length', at: 'call/1/3/0', min: 1, max: 8 },
      ],
      sound: {
        root: 2,
        scale: 'minor',
        paths: [
          { path: '0/0/0', instrument: 'pluck', mapping: 'notes', pan: 25, room: 45 },
          { path: '3/0/0/0', instrument: 'pad', mapping: 'notes', pan: -15, room: 45 },
        ],
      },
    },
  },
  {
    title: 'Kotekan',
    name: 'kotekan',
    description:
      'Two players share a figure too fast for one: each rests where the other strikes, and on the middle note they meet. Balinese gamelan calls it kotekan, the lower part polos, the higher sangsih, and the slow tune below pokok. Move the knob “turn” first.',
    lines: [
      { calls: [call('cycle', 1, 3), call('cycle', 1, 3), call('cycle', 2, 3)], into: 'kotekan_pair' },
      { calls: STEPS, into: 'pokok' },
      table([104, 72, 88, 68, 96, 74, 84, 66], 'velocity'),
    ],
    present: {
      particles: 96,
      tempo: 600,
      loop: true,
      world: 'bells',
      knobs: [
        { name: 'turn', at: 'call/0/2/0', min: 0, max: 5 },
        { name: 'second step', at: 'call/0/1/0', min: 0, max: 5 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0/0/0/0', instrument: 'bell', mapping: 'notes', pan: -60 },
          { path: '0/1/0/0', instrument: 'bell', mapping: 'notes', pan: 60 },
          { path: '1/0/0', instrument: 'pad', mapping: 'notes', room: 50 },
        ],
      },
    },
  },
  {
    title: 'Crab canon',
    name: 'crab_canon',
    description:
      'One player reads the theme from the beginning, the other from the end, and they agree in every bar. Johann Sebastian Bach wrote such a canon into the Musical Offering of 1747. Turn the steps of the second player first: it then walks through the theme in leaps.',
    lines: [
      { calls: [call('cycle', 1, 32)], into: 'crab_theme' },
      { calls: [call('cycle', 31, 32)], start: 31, into: 'crab_theme_below' },
      table([104, 74, 86, 78], 'velocity'),
    ],
    consonant: true,
    present: {
      particles: 64,
      tempo: 360,
      loop: true,
      world: 'piano-roll',
      knobs: [
        { name: 'second player', at: 'call/1/0/0', min: 1, max: 31 },
        { name: 'first player', at: 'call/0/0/0', min: 1, max: 31 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0/0', instrument: 'pluck', mapping: 'notes', pan: -45, room: 35 },
          { path: '1/0/0', instrument: 'keys', mapping: 'notes', pan: 45, room: 35 },
        ],
      },
    },
  },
  {
    title: 'Infinity series',
    name: 'infinity_series_in_three',
    description:
      'An endless melody that holds itself: its every fourth note is the same melody four times as slow, so three players at three paces always meet. Per Nørgård found the series in 1959 and composed with it for sixty years. Turn the pace of the middle player first.',
    lines: [
      { calls: [call('infinity_series')], start: 16, into: 'minor_of_32' },
      { calls: STEPS, into: 'slow_infinity' },
      { calls: STEPS, into: 'slowest_infinity' },
      table([100, 66, 82, 72, 92, 68, 86, 62], 'velocity'),
    ],
    present: {
      particles: 128,
      tempo: 400,
      loop: true,
      world: 'piano-roll',
      knobs: [
        { name: 'middle pace', at: 'slow_infinity:call/1/0/0', min: 1, max: 16 },
        { name: 'slow pace', at: 'slowest_infinity:call/1/0/0', min: 1, max: 32 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0/0', instrument: 'pluck', mapping: 'notes', pan: 40, room: 40 },
          { path: '1/0/0/0', instrument: 'bell', mapping: 'notes', pan: -40, room: 45 },
          { path: '2/0/0/0', instrument: 'pad', mapping: 'notes', level: 80 },
        ],
      },
    },
  },
  {
    title: 'Prelude over eight chords',
    name: 'prelude',
    description:
      'Eight chords of five notes, each broken upwards twice in the same way, and that is the whole piece. It is how Johann Sebastian Bach’s Well-Tempered Clavier begins, in 1722. Turn the climb first.',
    lines: [
      { calls: [call('prelude_figure', 5, 16)], into: 'prelude_chords' },
      table([8, 7, 3, 3, 3, 3, 3, 3], 'duration'),
      table([98, 76, 66, 70, 82, 62, 66, 72, 90, 72, 64, 68, 78, 60, 64, 68], 'velocity'),
    ],
    present: {
      particles: 128,
      tempo: 288,
      loop: true,
      world: 'piano',
      knobs: [
        { name: 'climb', at: 'call/0/0/0', min: 3, max: 5 },
        { name: 'notes a chord', at: 'call/0/0/1', min: 4, max: 32 },
      ],
      sound: {
        scale: 'major',
        paths: [{ path: '0/0/0', instrument: 'keys', mapping: 'notes', room: 40 }],
      },
    },
  },
  {
    title: 'Every word of three notes',
    name: 'every_word',
    description:
      'A melody that says every word of three notes out of five exactly once, in the fewest notes possible. Sanskrit poets knew such lines for syllables, and Nicolaas de Bruijn counted them in 1946. Turn either number and the words become few, and come round again.',
    lines: [
      { calls: [call('next_word', 2, 1)], start: 1, into: 'five_letters' },
      { calls: STEPS, into: 'slow_words' },
      table([104, 72, 82], 'velocity'),
    ],
    present: {
      particles: 124,
      tempo: 440,
      loop: true,
      world: 'tone-machine',
      knobs: [
        { name: 'first letter', at: 'call/0/0/0', min: 0, max: 4 },
        { name: 'second letter', at: 'call/0/0/1', min: 0, max: 4 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0/0/0', instrument: 'pluck', mapping: 'notes', pan: 20, echo: 20 },
          { path: '1/0/0/0', instrument: 'bass', mapping: 'notes' },
        ],
      },
    },
  },
  {
    title: 'One bit at a time',
    name: 'one_bit',
    description:
      'An arpeggio whose next note differs by a single switch, a step, two, four or eight notes away, over a ground of four chords. Frank Gray patented the code in 1947 for measuring without mistakes. Turn the bits first: each one more doubles the way.',
    lines: [
      { calls: [call('gray_code', 4)], into: 'five_notes' },
      { calls: STEPS, into: 'ground_of_four' },
      table([102, 64, 78, 70, 90, 66, 82, 60], 'velocity'),
    ],
    present: {
      particles: 64,
      tempo: 420,
      loop: true,
      world: 'harp',
      knobs: [
        { name: 'bits', at: 'call/0/0/0', min: 1, max: 4 },
        { name: 'bars a chord', at: 'ground_of_four:call/1/0/0', min: 4, max: 32 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0/0', instrument: 'pluck', mapping: 'notes', pan: 25, room: 35, echo: 15 },
          { path: '1/0/0', instrument: 'pad', mapping: 'notes', pan: -10, room: 40 },
        ],
      },
    },
  },
  {
    title: 'Fair shares',
    name: 'fair_shares',
    description:
      'Two hands share one arpeggio, and no rule of turns could be fairer: whatever one hand had, the other has next. Axel Thue wrote the sequence down in 1906, Marston Morse again in 1921, and chess, music and tile floors have it. Turn the leap of one hand first.',
    lines: [
      { calls: STEPS, into: 'left_hand' },
      { calls: STEPS, into: 'right_hand' },
      { calls: STEPS, into: 'low_pulse' },
      table([104, 70, 86, 76, 94, 66, 82, 72], 'velocity'),
    ],
    present: {
      particles: 128,
      tempo: 480,
      loop: true,
      world: 'piano',
      knobs: [
        { name: 'left leap', at: 'left_hand:call/0/0/0', min: 1, max: 10 },
        { name: 'right leap', at: 'right_hand:call/0/0/0', min: 1, max: 10 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0/0/0/0', instrument: 'pluck', mapping: 'notes', pan: -70, room: 30 },
          { path: '1/0/0/0', instrument: 'keys', mapping: 'notes', pan: 70, room: 30 },
          { path: '2/0/0', instrument: 'bass', mapping: 'notes' },
        ],
      },
    },
  },
  {
    title: 'Rule 30 on the drums',
    name: 'rule_thirty',
    description:
      'Eight cells in a ring look at their neighbours and switch on or off, and the first four of them play a kit and a bass. Stephen Wolfram numbered the 256 rules there are in 1983; 30 never seems to settle, and still is one line. Turn the rule first, to 90 or 110.',
    lines: [{ calls: [call('cells', 30, 9)], start: 16, into: 'cell_drums' }],
    present: {
      particles: 128,
      tempo: 420,
      loop: true,
      world: 'drum-machine',
      knobs: [
        { name: 'rule', at: 'call/0/0/0', min: 0, max: 255 },
        { name: 'cells', at: 'call/0/0/1', min: 5, max: 16 },
        { name: 'first row', at: 'start/1', min: 1, max: 255 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        swing: 12,
        paths: [
          { path: '0/0', instrument: 'kick', hits: 'change' },
          { path: '0/1', instrument: 'snare', hits: 'change', level: 70 },
          { path: '0/2', instrument: 'hat', hits: 'above_zero', level: 80, pan: 35 },
          { path: '0/3', instrument: 'clap', hits: 'change', level: 50, pan: -35 },
          { path: '0/4/0', instrument: 'bass', mapping: 'notes' },
        ],
      },
    },
  },
  {
    title: 'Walking home',
    name: 'walking_home',
    description:
      'A bass walks through twelve bars of blues on root, third, fifth and sixth, a ride cymbal swings, and a player off the beat follows the Fibonacci word. Nobody owns the twelve bars: they were sung in the Mississippi delta before 1900. Turn the solo’s way up first.',
    lines: [
      { calls: STEPS, into: 'walking_bass' },
      { calls: STEPS, into: 'solo' },
      table([3, 0, 0, 3, 0, 2]),
      table([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    ],
    present: {
      particles: 144,
      tempo: 400,
      loop: true,
      world: 'tone-machine',
      knobs: [
        { name: 'solo up', at: 'solo:call/0/0/0', min: 1, max: 9 },
        { name: 'solo down', at: 'solo:call/0/0/1', min: 1, max: 9 },
        { name: 'lowest note', at: 'walking_bass:call/0/0/0', min: 28, max: 40 },
      ],
      sound: {
        root: 9,
        scale: 'chromatic',
        steps_per_beat: 3,
        paths: [
          { path: '0/0/0/0', instrument: 'bass', mapping: 'notes' },
          { path: '1/0/0/0', instrument: 'keys', mapping: 'notes', pan: 25, room: 40 },
          { path: '2', instrument: 'hat', hits: 'above_zero', pan: -25 },
          { path: '3', instrument: 'kick', hits: 'above_zero', level: 60 },
        ],
      },
    },
  },
]
