(* Reads a certificate file, runs the extracted checker on it, prints what is proved.

   Nothing here decides anything: this program turns text into the lists that the
   verified functions take and their answer into text. Exit code 0: proved; 1: the
   certificate does not prove its claim; 2: the file is not a certificate.

   Format (white space separates; indices count from 0):

     headforms-certificate 1
     minor                            exact
     head n N                         head n N
     columns c...                     rank r
     modulus m                        rows i...      columns c...   modulus m
     inverse  (2n x 2n numbers)       inverse        (r x r numbers)
     matrix   (2n x N weights)        null-vectors   (k x 2n numbers, k = 2n - r)
                                      null-columns c...   null-modulus m
                                      null-inverse   (k x k numbers)
                                      orthogonaliser (k x k numbers)
                                      orthogonaliser-modulus m
                                      orthogonaliser-inverse (k x k numbers)
                                      matrix         (2n x N weights)

   Weights are pairs "m e" that stand for m * 2^e; the rows are those of K, then of Q.
   An inverse is written column by column; the orthogonaliser P makes (PU)J(PU)^T
   diagonal, U the null vectors. *)

open Extracted

exception Malformed of string

let rec nat_of_int i = if i <= 0 then O else S (nat_of_int (i - 1))

let rec int_of_nat = function O -> 0 | S k -> 1 + int_of_nat k

let rec positive_of_int i =
  if i = 1 then XH
  else if i land 1 = 1 then XI (positive_of_int (i lsr 1))
  else XO (positive_of_int (i lsr 1))

let z_of_int i = if i = 0 then Z0 else if i > 0 then Zpos (positive_of_int i) else Zneg (positive_of_int (-i))

(* Decimal numerals of any length, fifteen digits at a time. *)
let z_of_numeral text =
  let negative = text <> "" && text.[0] = '-' in
  let start = if negative then 1 else 0 in
  let length = String.length text in
  if start = length then raise (Malformed "a number is missing");
  String.iteri
    (fun i c -> if i >= start && (c < '0' || c > '9') then raise (Malformed ("not an integer: " ^ text)))
    text;
  let rec from i acc =
    if i = length then acc
    else begin
      let digits = min 15 (length - i) in
      let chunk = z_of_int (int_of_string ("0u" ^ String.sub text i digits)) in
      let power = z_of_int (int_of_float (10. ** float_of_int digits)) in
      from (i + digits) (Z.add (Z.mul acc power) chunk)
    end
  in
  let value = from start Z0 in
  if negative then Z.opp value else value

let read_file path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

(* The words of the file, taken from the front. *)
let words = ref []

let next () =
  match !words with
  | [] -> raise (Malformed "the file ends too early")
  | word :: rest -> words := rest; word

let keyword expected =
  let word = next () in
  if word <> expected then raise (Malformed (Printf.sprintf "%s found where %s was expected" word expected))

let size () =
  let word = next () in
  let decimal = word <> "" && String.length word <= 6 && String.for_all (fun c -> '0' <= c && c <= '9') word in
  if decimal then int_of_string ("0u" ^ word) else raise (Malformed ("not a size or an index: " ^ word))

let times count read = List.init count (fun _ -> read ())
let number () = z_of_numeral (next ())
let index () = nat_of_int (size ())
let weight () = let m = number () in let e = number () in (m, e)
let table rows columns read = times rows (fun () -> times columns read)

let section name read = keyword name; read ()

let proved rank (positive, negative, zero) =
  Printf.printf "proved: rank %d, signature (%d, %d, %d)\n" rank positive negative zero; 0

let refused () = print_endline "refused: the certificate does not prove its claim"; 1

let finish () = if !words <> [] then raise (Malformed "words after the end of the certificate")

let minor () =
  keyword "head";
  let n = size () in
  let width = size () in
  let rows = 2 * n in
  let columns = section "columns" (fun () -> times rows index) in
  let modulus = section "modulus" number in
  let inverse = section "inverse" (fun () -> table rows rows number) in
  let matrix = section "matrix" (fun () -> table rows width weight) in
  finish ();
  if check_minor (nat_of_int n) (nat_of_int width) matrix modulus columns inverse
  then proved rows (n, n, width - rows)
  else refused ()

let exact () =
  keyword "head";
  let n = size () in
  let width = size () in
  let rank = section "rank" size in
  let corank = 2 * n - rank in
  if corank < 0 then raise (Malformed "a rank above 2n");
  let minor_rows = section "rows" (fun () -> times rank index) in
  let minor_columns = section "columns" (fun () -> times rank index) in
  let minor_modulus = section "modulus" number in
  let minor_inverse = section "inverse" (fun () -> table rank rank number) in
  let null_vectors = section "null-vectors" (fun () -> table corank (2 * n) number) in
  let null_columns = section "null-columns" (fun () -> times corank index) in
  let null_modulus = section "null-modulus" number in
  let null_inverse = section "null-inverse" (fun () -> table corank corank number) in
  let orthogonaliser = section "orthogonaliser" (fun () -> table corank corank number) in
  let orthogonaliser_modulus = section "orthogonaliser-modulus" number in
  let orthogonaliser_inverse =
    section "orthogonaliser-inverse" (fun () -> table corank corank number) in
  let matrix = section "matrix" (fun () -> table (2 * n) width weight) in
  finish ();
  let proof =
    { claimed_rank = nat_of_int rank; minor_rows; minor_columns; minor_modulus; minor_inverse;
      null_vectors; null_columns; null_modulus; null_inverse;
      orthogonaliser; orthogonaliser_modulus; orthogonaliser_inverse }
  in
  match check_exact (nat_of_int n) (nat_of_int width) matrix proof with
  | Some ((positive, negative), zero) ->
    proved rank (int_of_nat positive, int_of_nat negative, int_of_nat zero)
  | None -> refused ()

let run path =
  words :=
    List.filter (fun word -> word <> "")
      (String.split_on_char ' ' (String.map (fun c -> if c = '\n' || c = '\t' || c = '\r' then ' ' else c) (read_file path)));
  keyword "headforms-certificate";
  keyword "1";
  match next () with
  | "minor" -> minor ()
  | "exact" -> exact ()
  | kind -> raise (Malformed ("unknown kind of certificate: " ^ kind))

let () =
  match Sys.argv with
  | [| _; path |] ->
    (try exit (run path) with
     | Malformed why -> prerr_endline ("not a certificate: " ^ why); exit 2
     | Sys_error why -> prerr_endline why; exit 2)
  | _ -> prerr_endline "usage: check CERTIFICATE"; exit 2
