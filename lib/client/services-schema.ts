// Generated from the operations by `npm run openapi:generate`; not edited by hand.

export interface paths {
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session
         * @description The token is worthless from then on. Other sessions of the same user stay.
         */
        post: operations["POST_authLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed-in user
         * @description The user that the session token belongs to.
         */
        get: operations["GET_authMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/siwe/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a message to sign
         * @description An EIP-4361 message for the wallet, good for one sign-in within five minutes. Its domain and URI are the `Origin` of the request, or `app_origin` where a client sends none; the origin must be one this server allows. At most five challenges of an address wait at a time.
         */
        post: operations["POST_authSiweChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/siwe/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a signed challenge
         * @description Trades the signed message for a session token, valid 24 hours or until logout. The signature is EIP-191 (`personal_sign`): 65 bytes with `s` in its lower half; a contract wallet on the chain of this server is asked there (EIP-1271). A success uses the challenge up, a wrong signature does not. The first sign-in makes the user.
         */
        post: operations["POST_authSiweVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the API answers
         * @description Answers `ok` as plain text. Whether everything behind it works is told by `/readyz` of the site.
         */
        get: operations["GET_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/js/sdk/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a module of the World SDK
         * @description `world-runtime.js` is what a World imports, as `../../js/sdk/world-runtime.js` from the top of its bundle; `world-host.js` is what a page that shows Worlds imports. Both are ES modules without imports of their own.
         */
        get: operations["GET_sdkModule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow a user
         * @description Following twice is following once. At most 10000 people.
         */
        post: operations["POST_socialFollow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/followers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who follows you
         * @description Addresses in ascending order. Without `limit`, the first 10000; `page` has the others.
         */
        get: operations["GET_socialFollowers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List whom you follow
         * @description Addresses in ascending order. Without `limit`, the first 10000, which is all of them.
         */
        get: operations["GET_socialFollowing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/unfollow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow a user no longer
         * @description Not having followed is fine.
         */
        post: operations["POST_socialUnfollow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Addresses of active users in ascending order. `page` and `limit` out of range are brought into it; a page beyond the end is empty.
         */
        get: operations["GET_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Anybody who signed in at least once. A deleted user is not found until the next sign-in.
         */
        get: operations["GET_user"];
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description Clears the profile and all follows and ends every session at once. Worlds stay under the address. The next sign-in begins afresh.
         */
        delete: operations["DELETE_user"];
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description What is left out stays as it is. `display_name` null clears it; `profile_json` replaces the whole profile.
         */
        patch: operations["PATCH_user"];
        trace?: never;
    };
    "/world-assets/{id}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a file of a World
         * @description Files are served with a Content-Security-Policy that keeps the World from reaching the network, and scripts begin with a short prelude that takes WebRTC away. Modules of a sandboxed frame may load them: `Access-Control-Allow-Origin` is `*`.
         */
        get: operations["GET_worldAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Look at a file of a World
         * @description Files are served with a Content-Security-Policy that keeps the World from reaching the network, and scripts begin with a short prelude that takes WebRTC away. Modules of a sandboxed frame may load them: `Access-Control-Allow-Origin` is `*`.
         */
        head: operations["HEAD_worldAsset"];
        patch?: never;
        trace?: never;
    };
    "/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Worlds
         * @description Active Worlds, the one changed last first.
         */
        get: operations["GET_worlds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a World
         * @description An active World; a deleted one is not found.
         */
        get: operations["GET_world"];
        put?: never;
        post?: never;
        /**
         * Delete a World
         * @description For its owner. Its files are not served any more at once, and its slug is free.
         */
        delete: operations["DELETE_world"];
        options?: never;
        head?: never;
        /**
         * Replace the bundle of a World
         * @description For its owner and administrators. The id and the slug stay. The same files again change nothing; other files need another version.
         */
        patch: operations["PATCH_world"];
        trace?: never;
    };
    "/worlds/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a World
         * @description The caller becomes the owner. A slug is one active World’s at a time.
         */
        post: operations["POST_worldUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a bundle
         * @description Says what an upload would say, with advice, and stores nothing.
         */
        post: operations["POST_worldValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Challenge: {
            /**
             * Format: date-time
             * @description When the challenge is of no use any more.
             * @example 2026-03-01T12:00:00.000Z
             */
            expires_at: string;
            /** @description Sign these exact bytes. */
            message: string;
        };
        ChallengeRequest: {
            /**
             * @description An account: 40 hexadecimal digits, with or without `0x`, in any case.
             * @example 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
             */
            address: string;
            /**
             * @description Scheme and host of the page, where the client sends no `Origin` header.
             * @example https://weft.example
             */
            app_origin?: string;
            /**
             * @description The chain the wallet is on; this server allows a list of them.
             * @example 31337
             */
            chain_id: number;
        };
        /**
         * @description An account as EIP-55 spells it.
         * @example 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
         */
        ChecksumAddress: string;
        ConnectorSet: {
            connectors: string[];
            optionalConnectors: string[];
        };
        /**
         * @example {
         *       "followed_id": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        FollowRequest: {
            /** @description The address of a user. */
            followed_id: string;
        };
        /**
         * @example {
         *       "display_name": "Ada"
         *     }
         */
        ProfileRequest: {
            /** @description At most 100 characters. Null clears it; left out, it stays. */
            display_name?: string | null;
            /**
             * @description Replaces the whole profile, at most 64 KiB; left out, it stays.
             * @example {
             *       "public": {
             *         "nickname": "Ada",
             *         "bio": "Weaves.",
             *         "kind": "human"
             *       }
             *     }
             */
            profile_json?: {
                [key: string]: unknown;
            };
        };
        /** @description Two parts of 64 hexadecimal digits with a dot between. */
        SessionToken: string;
        UserPublic: {
            /**
             * Format: date-time
             * @description First sign-in.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            display_name: string | null;
            id: components["schemas"]["ChecksumAddress"];
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00.000Z
             */
            last_login_at: string | null;
            /**
             * @description Free-form. Conventional keys: `public.nickname`, `public.bio`, `public.kind`.
             * @example {
             *       "public": {
             *         "nickname": "Ada",
             *         "bio": "Weaves.",
             *         "kind": "human"
             *       }
             *     }
             */
            profile_json: {
                [key: string]: unknown;
            };
            roles: ("user" | "admin" | "moderator")[];
            /** @enum {string} */
            status: "active" | "suspended" | "deleted";
            /**
             * Format: date-time
             * @description Last change of the profile.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
        };
        ValidatedWorld: {
            bundleHash: string;
            descriptor: components["schemas"]["WorldPreview"];
            manifestHash: string;
            /** @description What the author may want to change, in sentences. */
            warnings: string[];
        };
        VerifyRequest: {
            /** @description Exactly the message of the challenge. */
            message: string;
            /** @description EIP-191 signature of the message, hexadecimal, with or without `0x`. */
            signature: string;
        };
        WorldDescriptor: {
            accentColor?: string;
            acceptedConnectorSets: components["schemas"]["ConnectorSet"][];
            acceptedFormatHashes: string[];
            /** @description SHA-256 over `path NUL size NUL sha256 LF` of every file as uploaded, sorted by path: zipping the same files again gives the same. */
            bundleHash: string;
            /** Format: date-time */
            createdAt: string;
            /** @example Weaves pitch and time into light. */
            description: string;
            /**
             * @description Entry page inside the bundle.
             * @example index.html
             */
            entryPath: string;
            /**
             * @description Where the entry page is served, below the base of this API.
             * @example /world-assets/wld_4q2xk7m3p5r6s7t2u3v4/index.html
             */
            entryUrn: string;
            heroLabel?: string;
            /** @example wld_4q2xk7m3p5r6s7t2u3v4 */
            id: string;
            /** @description SHA-256 over the bytes of `world-manifest.json`. */
            manifestHash: string;
            /** @example Night Loom */
            name: string;
            /**
             * @description Who uploaded it, as EIP-55 spells it.
             * @example 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
             */
            ownerId: string;
            /**
             * @example [
             *       "dcn.connectors.read",
             *       "dcn.execute"
             *     ]
             */
            permissions: string[];
            /** @description Image inside the bundle. */
            preview?: string;
            /** @enum {string} */
            runtime: "iframe";
            shortDescription?: string;
            /** @example night-loom */
            slug: string;
            /** @enum {string} */
            status: "active" | "deleted";
            surfaces: ("world-page" | "studio-plugin")[];
            /** Format: date-time */
            updatedAt: string;
            valueLimits?: {
                /** @description By output path, for instance `/pitch:0`. */
                connectorValues?: {
                    [key: string]: {
                        max: number;
                        min: number;
                    };
                };
                particlesCount?: {
                    max: number;
                    min: number;
                };
            };
            /** @example 0.1.0 */
            version: string;
        };
        WorldPreview: {
            accentColor?: string;
            acceptedConnectorSets: components["schemas"]["ConnectorSet"][];
            acceptedFormatHashes: string[];
            /** @example Weaves pitch and time into light. */
            description: string;
            /**
             * @description Entry page inside the bundle.
             * @example index.html
             */
            entryPath: string;
            heroLabel?: string;
            /** @example Night Loom */
            name: string;
            /**
             * @example [
             *       "dcn.connectors.read",
             *       "dcn.execute"
             *     ]
             */
            permissions: string[];
            /** @description Image inside the bundle. */
            preview?: string;
            /** @enum {string} */
            runtime: "iframe";
            shortDescription?: string;
            /** @example night-loom */
            slug: string;
            surfaces: ("world-page" | "studio-plugin")[];
            valueLimits?: {
                /** @description By output path, for instance `/pitch:0`. */
                connectorValues?: {
                    [key: string]: {
                        max: number;
                        min: number;
                    };
                };
                particlesCount?: {
                    max: number;
                    min: number;
                };
            };
            /** @example 0.1.0 */
            version: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    POST_authLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_authMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPublic"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_authSiweChallenge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Scheme and host of the page. */
                origin?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChallengeRequest"];
            };
        };
        responses: {
            /** @description The challenge */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Challenge"];
                };
            };
            /** @description Invalid address, chain that is not allowed, or invalid origin */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Origin not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not announced as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many active challenges for the address; or too many such requests within a minute, `retry-after` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_authSiweVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description The session token, as a JSON string */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
                };
            };
            /** @description Malformed message or signature */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unknown, used or expired challenge, or signature mismatch; or the user is suspended */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not announced as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_sdkModule: {
        parameters: {
            query?: never;
            header?: {
                "if-none-match"?: string;
            };
            path: {
                /** @description Name of the module. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The module */
            200: {
                headers: {
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other file name */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_socialFollow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowRequest"];
            };
        };
        responses: {
            /** @description Followed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Empty id or your own address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not announced as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You follow 10000; or too many such requests within a minute, `retry-after` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_socialFollowers: {
        parameters: {
            query?: {
                /** @description Largest number of entries in the answer. */
                limit?: number;
                /** @description Counted from zero. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChecksumAddress"][];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_socialFollowing: {
        parameters: {
            query?: {
                /** @description Largest number of entries in the answer. */
                limit?: number;
                /** @description Counted from zero. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChecksumAddress"][];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_socialUnfollow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowRequest"];
            };
        };
        responses: {
            /** @description Not followed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Empty id or your own address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not announced as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_users: {
        parameters: {
            query?: {
                /** @description Largest number of entries in the answer. */
                limit?: number;
                /** @description Counted from zero. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChecksumAddress"][];
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An account: 40 hexadecimal digits, with or without `0x`, in any case. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPublic"];
                };
            };
            /** @description Invalid address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    DELETE_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own account, in any case. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not your account */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    PATCH_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An account: 40 hexadecimal digits, with or without `0x`, in any case. */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileRequest"];
            };
        };
        responses: {
            /** @description The changed user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPublic"];
                };
            };
            /** @description Invalid address or profile */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not your profile */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not announced as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_worldAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags the client has. */
                "if-none-match"?: string;
                "if-range"?: string;
                /** @description One range of bytes. */
                range?: string;
                /** @description Sent by browsers alone. */
                "sec-fetch-dest"?: string;
            };
            path: {
                /** @description Id of the World. */
                id: string;
                /** @description File inside the bundle. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A part of the file */
            206: {
                headers: {
                    /** @description Which part. */
                    "Content-Range"?: string;
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A browser opens a page of the World by itself (`Sec-Fetch-Dest: document`) */
            302: {
                headers: {
                    /** @description The page of the site that shows the World. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unchanged */
            304: {
                headers: {
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unknown or deleted World, or no such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Nothing of the file lies in the range */
            416: {
                headers: {
                    /** @description The size of the file. */
                    "Content-Range"?: string;
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    HEAD_worldAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags the client has. */
                "if-none-match"?: string;
                "if-range"?: string;
                /** @description One range of bytes. */
                range?: string;
                /** @description Sent by browsers alone. */
                "sec-fetch-dest"?: string;
            };
            path: {
                /** @description Id of the World. */
                id: string;
                /** @description File inside the bundle. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A part of the file */
            206: {
                headers: {
                    /** @description Which part. */
                    "Content-Range"?: string;
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A browser opens a page of the World by itself (`Sec-Fetch-Dest: document`) */
            302: {
                headers: {
                    /** @description The page of the site that shows the World. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unchanged */
            304: {
                headers: {
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unknown or deleted World, or no such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing of the file lies in the range */
            416: {
                headers: {
                    /** @description The size of the file. */
                    "Content-Range"?: string;
                    /** @description Keeps the World from the network. */
                    "Content-Security-Policy"?: string;
                    /** @description Changes with the content. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_worlds: {
        parameters: {
            query?: {
                /** @description Largest number of Worlds in the answer. */
                limit?: number;
                /** @description Counted from zero. */
                page?: number;
                /** @description Text that name, slug or a description holds, in any letter case. */
                q?: string;
                /** @description Only Worlds that can be shown there. */
                surface?: "world-page" | "studio-plugin";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Worlds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldDescriptor"][];
                };
            };
            /** @description Invalid surface, page, limit or search text */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    GET_world: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the World. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The World */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldDescriptor"];
                };
            };
            /** @description World not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    DELETE_world: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the World. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not the owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description World not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    PATCH_world: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the World. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A ZIP with `world-manifest.json` at its root, at most 25 MiB.
                     */
                    bundle: string;
                };
            };
        };
        responses: {
            /** @description The changed World */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldDescriptor"];
                };
            };
            /** @description Invalid bundle or manifest; the text says everything that is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not the owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description World not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Another slug, or other files under the version that is published */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description File larger than 26214400 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    POST_worldUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A ZIP with `world-manifest.json` at its root, at most 25 MiB.
                     */
                    bundle: string;
                };
            };
        };
        responses: {
            /** @description The World */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldDescriptor"];
                };
            };
            /** @description Invalid bundle or manifest; the text says everything that is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An active World has the slug */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description File larger than 26214400 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The account has as many Worlds as it may have; or too many such requests within a minute, `retry-after` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    POST_worldValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A ZIP with `world-manifest.json` at its root, at most 25 MiB.
                     */
                    bundle: string;
                };
            };
        };
        responses: {
            /** @description What would be published */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatedWorld"];
                };
            };
            /** @description Invalid bundle or manifest; the text says everything that is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description File larger than 26214400 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy. */
            default: {
                headers: {
                    /** @description Names this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
}
