// Headers of .npy files: what is read, and what is said of damaged ones.
#include "io/maps/npy_header.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/npy_file.hpp"

namespace starpath::io {
namespace {

using support::npy_bytes;
using support::npy_literal;

NpyHeader parse(const std::string& bytes, std::uint64_t behind) {
  return parse_npy_header(bytes, bytes.size() + behind, "a.npy");
}

TEST(NpyHeader, IsRead) {
  const std::string bytes = npy_bytes(npy_literal("<f4", {3, 4, 2}), "");
  const NpyHeader header = parse(bytes, 96);
  EXPECT_EQ(header.type, NumberType::f32);
  EXPECT_FALSE(header.by_columns);
  EXPECT_EQ(header.shape, (std::vector<std::int64_t>{3, 4, 2}));
  EXPECT_EQ(header.numbers, 24);
  EXPECT_EQ(header.begin, bytes.size());
  EXPECT_EQ(header.begin % 64, 0u);
}

TEST(NpyHeader, IsReadHoweverItIsSpelled) {
  const NpyHeader header = parse(npy_bytes("{ \"shape\":(7L,3L) ,'fortran_order' : True,\n'descr':'|u1'}", ""), 21);
  EXPECT_EQ(header.type, NumberType::u8);
  EXPECT_TRUE(header.by_columns);
  EXPECT_EQ(header.shape, (std::vector<std::int64_t>{7, 3}));
  EXPECT_TRUE(parse(npy_bytes("{'descr': '<i8', 'fortran_order': False, 'shape': ()}", ""), 8).shape.empty());
  EXPECT_EQ(parse(npy_bytes("{'descr': '<i8', 'fortran_order': False, 'shape': (5,)}", ""), 40).numbers, 5);
}

TEST(NpyHeader, OfVersionTwoHasALongerLength) {
  std::string bytes = npy_bytes(npy_literal("|b1", {2, 2}), "");
  bytes[6] = 2;
  bytes.insert(10, std::string(2, '\0'));
  EXPECT_EQ(parse(bytes, 4).type, NumberType::boolean);
}

/// What is said of a file of these bytes with so many behind them.
std::string said_of(const std::string& bytes, std::uint64_t behind = 1000) {
  try {
    parse(bytes, behind);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "nothing";
}

TEST(NpyHeader, SaysWhatIsWrong) {
  EXPECT_EQ(said_of("II*\0"), "a.npy: is no .npy file; write it with numpy.save");
  EXPECT_EQ(said_of(npy_bytes(npy_literal("<f4", {3, 4}), "").substr(0, 40)), "a.npy: is cut off in its .npy header");
  EXPECT_EQ(said_of(npy_bytes(npy_literal("<f4", {3, 4}), ""), 47),
            "a.npy: is cut off: it has 175 bytes, and its 12 numbers of float32 need 176; copy or write it again");
  EXPECT_EQ(
      said_of(npy_bytes(npy_literal(">f4", {3, 4}), "")),
      "a.npy: holds numbers of the type '>f4', which is not read; save them as array.astype('float32') or 'int32'");
  EXPECT_EQ(said_of(npy_bytes("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,)}", "")),
            "a.npy: holds records; save an array of numbers");
  EXPECT_EQ(said_of(npy_bytes(npy_literal("<f4", {3, 0}), "")), "a.npy: holds an array without numbers");
  EXPECT_EQ(said_of(npy_bytes(npy_literal("<f4", {1000000000, 1000000000, 1000000000}), "")),
            "a.npy: is damaged: its .npy header has a shape of more numbers than any file holds");
  EXPECT_EQ(said_of(npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (-3, 4)}", "")),
            "a.npy: is damaged: its .npy header has a shape that is no list of whole numbers");
  EXPECT_EQ(said_of(npy_bytes("{'descr': '<f4', 'fortran_order': False}", "")),
            "a.npy: is damaged: its .npy header lacks one of descr, fortran_order and shape");
  EXPECT_EQ(said_of(npy_bytes("{'descr': '<f4', 'extra': False}", "")),
            "a.npy: is damaged: its .npy header has the key 'extra'");
  EXPECT_EQ(said_of(npy_bytes("{'descr': '<f4", "")), "a.npy: is damaged: its .npy header has a text without an end");
  std::string long_header = npy_bytes(npy_literal("<f4", {3, 4}), "");
  long_header[9] = 0x7f;
  EXPECT_EQ(said_of(long_header),
            "a.npy: has a .npy header of 32630 bytes; of an array of numbers it has at most 4086");
  std::string version = npy_bytes(npy_literal("<f4", {3, 4}), "");
  version[6] = 9;
  EXPECT_EQ(said_of(version), "a.npy: has version 9 of the .npy format; versions 1 to 3 are read");
}

}  // namespace
}  // namespace starpath::io
